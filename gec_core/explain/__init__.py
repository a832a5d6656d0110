"""Why a score is what it is, and why two scores differ."""
