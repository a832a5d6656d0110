"""PT-M² and PT-ERRANT (Gong et al. 2022): edits weighted by a pretrained model."""

from gec_core.metrics.pt.pterrant import PTErrant
from gec_core.metrics.pt.ptm2 import PTM2

__all__ = ["PTM2", "PTErrant"]
