import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gec_core.models.causal_lm import tries

ROOT = 99
sequences = st.lists(st.lists(st.integers(0, 2), max_size=8), max_size=12)


def test_a_common_beginning_is_there_once():
    (trie,) = tries([[1, 2, 3], [1, 2, 4], [1, 2]], ROOT, most_nodes=100)
    assert trie.tokens == [ROOT, 1, 2, 3, 4]
    assert trie.parents == [0, 0, 1, 2, 2]
    assert trie.depths == [0, 1, 2, 3, 3]
    assert trie.paths == {2: [1, 2], 0: [1, 2, 3], 1: [1, 2, 4]}
    assert np.flatnonzero(trie.sees()[4]).tolist() == [0, 1, 2, 4]


def test_a_sequence_longer_than_the_limit_gets_a_trie_of_its_own():
    sizes = [len(trie.tokens) for trie in tries([[1] * 9, [2], [3]], ROOT, most_nodes=4)]
    assert sizes == [10, 3]


@given(sequences, st.integers(1, 30))
def test_every_sequence_is_read_off_its_path(given_sequences, most_nodes):
    found = {}
    for trie in tries(given_sequences, ROOT, most_nodes):
        assert len(trie.tokens) <= max(most_nodes, 9)
        sees = trie.sees()
        for number, path in trie.paths.items():
            found[number] = [trie.tokens[node] for node in path]
            if path:
                assert np.flatnonzero(sees[path[-1]]).tolist() == [0, *path]
                assert [trie.depths[node] for node in path] == list(range(1, len(path) + 1))
    assert found == dict(enumerate(given_sequences))
