"""From tokens to alignments and edits."""
