"""The app: shell, state, charts and widgets. Imports gec_core; imported only by pages/."""
