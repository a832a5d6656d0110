"""Our speed beside a peer's, in one run: `make bench`, or `python -m benchmarks NAME …` for some of them."""
