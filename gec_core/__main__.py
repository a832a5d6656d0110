"""python -m gec_core …"""

import sys

from gec_core.cli import main

sys.exit(main())
