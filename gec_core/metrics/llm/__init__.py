"""LLM judges (Kobayashi et al. 2024): a language model behind an OpenAI-compatible endpoint scores outputs from 1 to 5.

`endpoint` talks to the server, `prompts` writes the questions and reads the answers, `metric` has the two metrics.
"""

from gec_core.metrics.llm.metric import LLMEdits, LLMJudge, LLMSentence

__all__ = ["LLMEdits", "LLMJudge", "LLMSentence"]
