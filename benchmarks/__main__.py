"""Runs the benchmarks named on the command line, or all of them."""

import importlib
import pkgutil
import sys

import benchmarks


def main() -> None:
    known = [module.name for module in pkgutil.iter_modules(benchmarks.__path__) if not module.name.startswith("_")]
    wanted = sys.argv[1:] or known
    for name in wanted:
        if name not in known:
            sys.exit(f"No benchmark {name!r}. There are: {', '.join(known)}.")
        module = importlib.import_module(f"benchmarks.{name}")
        print(f"\n## {name}\n\n{module.__doc__}")
        module.main()


if __name__ == "__main__":  # not when a worker process imports its parent's main module
    main()
