"""Worked examples that the papers give, as the tests use them."""

from gec_core.papers.examples import CASES

MACHINES = CASES["machines"].source
MACHINES_GOLD = CASES["machines"].gold
"""Table 1 of Felice and Briscoe (2015)."""

MACHINE = CASES["designed"].source
"""Tables 2 and 3 of Felice and Briscoe (2015)."""

QUIZZES, QUIZZES_MAKING = CASES["quizzes"].hypotheses.values()
(QUIZZES_REFERENCE,) = CASES["quizzes"].references
"""Example 1 in Table 4 of Chollampatt and Ng (2018)."""

STUDENT = CASES["student"].source
STUDENT_HAS, STUDENTS_HAVE, STUDENTS_HAS = CASES["student"].hypotheses.values()
"""Example 2: the first and second hypotheses are its references."""

SKILL = CASES["skills"].source
(SKILL_REFERENCE,) = CASES["skills"].references
SKILL_NTHU, SKILL_PKU = CASES["skills"].hypotheses.values()
"""Table 8 of Gong et al. (2022)."""

ROLE = CASES["substituted"].source
(ROLE_REFERENCE,) = CASES["substituted"].references
ROLE_AMU = CASES["substituted"].hypotheses["AMU"]
"""Table 3 of Gong et al. (2022); UFC left the source as it is."""

HOSPITAL = CASES["hospital"].sentence
(HOSPITAL_AN,) = CASES["hospital"].hypotheses.values()
"""Table 1 of Chollampatt and Ng (2018)."""
