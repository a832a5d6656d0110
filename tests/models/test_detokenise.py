import pytest

from gec_core.models.causal_lm import detokenise


@pytest.mark.parametrize(
    ("tokenised", "written"),
    [
        ("It works , does n't it ?", "It works, doesn't it?"),
        ("The students ' books ( and pens ) are Mary 's .", "The students' books (and pens) are Mary's."),
        ('He said , " we go , " and left .', 'He said, "we go," and left.'),
        ("`` Yes '' , he said : ' no ' !", "\"Yes\", he said: 'no'!"),
        ("It costs $ 5 , or 10 % .", "It costs $5, or 10%."),
        ("face-to-face - or he / she ...", "face-to-face - or he / she..."),
        ('An open " quotation', 'An open "quotation'),
        ("", ""),
        (".", "."),
    ],
)
def test_spaces_of_the_tokeniser_go(tokenised, written):
    assert detokenise(tokenised) == written
