"""Run the benchmarks named on the command line, or all of them; options after the name of one are for that one."""

import importlib
import pkgutil
import sys

import benchmarks


def main() -> None:
    arguments = sys.argv[1:]
    options = next((place for place, word in enumerate(arguments) if word.startswith("-")), len(arguments))
    known = [module.name for module in pkgutil.iter_modules(benchmarks.__path__) if not module.name.startswith("_")]
    wanted = arguments[:options] or known
    for name in wanted:
        if name not in known:
            sys.exit(f"No benchmark {name!r}. There are: {', '.join(known)}.")
    if options < len(arguments) and len(wanted) != 1:
        sys.exit(f"{arguments[options]} is an option of one benchmark: name that one first, then its options.")
    for name in wanted:
        module = importlib.import_module(f"benchmarks.{name}")
        print(f"\n## {name}\n\n{module.__doc__}", flush=True)
        module.main(arguments[options:])


if __name__ == "__main__":  # not when a worker process imports its parent's main module
    main()
