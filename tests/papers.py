"""Worked examples that the papers give, as the tests use them."""

from gec_core.types import Edit

MACHINES = "This machines is designed for help people ."
MACHINES_GOLD = (
    (Edit(0, 1, "These"), Edit(2, 3, "are"), Edit(5, 6, "helping")),
    (Edit(1, 2, "machine"), Edit(4, 5, "to")),
)
"""Table 1 of Felice and Briscoe (2015)."""

MACHINE = "Machine is design to help people ."
"""Tables 2 and 3 of Felice and Briscoe (2015)."""

QUIZZES = "The weekly quizzes in this course makes it challenging and fun ."
QUIZZES_REFERENCE = "The weekly quizzes in this course make it challenging and fun ."
QUIZZES_MAKING = "The weekly quizzes in this course making it challenging and fun ."
"""Example 1 in Table 4 of Chollampatt and Ng (2018)."""

STUDENT = "The senior student who failed have to retake the course next year ."
STUDENT_HAS = "The senior student who failed has to retake the course next year ."
STUDENTS_HAVE = "The senior students who failed have to retake the course next year ."
STUDENTS_HAS = "The senior students who failed has to retake the course next year ."
"""Example 2: the second and third are its references."""

SKILL = "It is also entire incorrect to fault social media alone for the lack of interpersonal skill ."
SKILL_REFERENCE = "It is also entirely incorrect to fault social media alone for the lack of interpersonal skills ."
SKILL_NTHU = "It is also entirely incorrect to fault social media alone for lack of interpersonal skills ."
SKILL_PKU = "It is also entire incorrect to fault social media alone for the lack of interpersonal skills ."
"""Table 8 of Gong et al. (2022)."""

ROLE = "They play the important role in our life which can not be substituted ."
ROLE_REFERENCE = "They play an important role in our life which can not be substituted ."
ROLE_AMU = "They play an important role in our life which can not be replaced ."
"""Table 3 of Gong et al. (2022); UFC left the source as it is."""
