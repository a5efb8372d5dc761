# The tasks of this project. `make help` lists them; each installs what it lacks and is quick the second time.
.PHONY: help run build test check pictures sanitize fuzz soak bench audit format clean
.DEFAULT_GOAL := help

help:
	@echo 'make run        build and serve; options in ARGS, as in: make run ARGS="--http 0.0.0.0:8080"'
	@echo 'make test       format, build without warnings, unit tests, real clients (what CI runs); one class in ARGS,'
	@echo '                as in: make test ARGS="Interop.test_projects"'
	@echo 'make check      what your change touches, in two minutes where a build is there'
	@echo 'make pictures   the pictures of the page in Tests/Browser/screenshots and docs/pictures, anew'
	@echo 'make sanitize   unit tests under the real-time, thread and address sanitizers'
	@echo 'make fuzz       decoders, rooms and the server against random bytes, commands and messages: about an hour;'
	@echo '                and 1,000 whole jams of ten simulated minutes: some hours'
	@echo 'make soak       a server killed 1,000 times, and 100,000 crashes of a simulated disk: about an hour;'
	@echo '                and 10,000 whole jams: more than a day'
	@echo 'make bench      what this machine can carry; names and options in ARGS, as in: make bench ARGS="voices --json"'
	@echo 'make audit      what a mastering engineer would measure of the sound, row by row'
	@echo 'make format     swift-format on everything'
	@echo 'make clean      remove all that was built'

run: build
	@exec "$$(swift build -c release --show-bin-path)/bandshell" serve $(ARGS)

# For `bandshell --version`; a `swift build` by hand does without.
build: export BANDSHELL_BUILD := $(shell git log -1 --format='%h, %cs' 2>/dev/null)
build:
	@scripts/packages run
	@scripts/swift-check
	swift build -c release --product bandshell

test:
	@scripts/swift-check
	@scripts/test $(ARGS)

check:
	@scripts/swift-check
	@scripts/check $(ARGS)

pictures:
	@scripts/packages test
	@scripts/venv
	@scripts/swift-check
	@scripts/pictures

sanitize:
	@scripts/packages test
	@scripts/swift-check
	@scripts/sanitize $(ARGS)

fuzz:
	@scripts/packages run
	@scripts/venv
	@scripts/swift-check
	@scripts/fuzz $(ARGS)

soak:
	@scripts/packages test
	@scripts/venv
	@scripts/swift-check
	@scripts/soak $(ARGS)

bench:
	@scripts/packages bench
	@scripts/venv
	@scripts/swift-check
	swift build -c release --product bandshell
	swift build -c release --product bandshell-bench
	@"$$(swift build -c release --show-bin-path)/bandshell-bench" $(ARGS)

audit:
	@scripts/packages run
	@scripts/swift-check
	swift build -c release --product bandshell-bench
	@"$$(swift build -c release --show-bin-path)/bandshell-bench" sound $(ARGS)

format:
	@scripts/swift-check
	swift format -i --parallel -r Sources Tests Package.swift

clean:
	rm -rf .build .build-test .build-rtsan .build-tsan .build-asan .build-fuzz .build-room-fuzz .venv
