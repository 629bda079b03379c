# Sets tablectl up in this folder and runs it. Every target stands alone: on a bare Debian 12 or 13 with
# python3, git and make, `make demo` or `make test` is the first and only command needed.
# All paths are relative, so the folder's own name may hold spaces.

# Debian packages. A running table needs
#   python3-venv       to make the virtual environment .venv
#   libusb-1.0-0       to reach the USB panels
RUN_PACKAGES := python3-venv libusb-1.0-0
# and the tests in addition
#   umockdev           USB panels that exist only in software
#   gir1.2-umockdev-1.0, python3-gi   to drive those from Python
#   strace             to make the disk refuse a write
#   chromium-headless-shell, libatomic1   to look at the pages, as people do
TEST_PACKAGES := umockdev gir1.2-umockdev-1.0 python3-gi strace chromium-headless-shell libatomic1
# and the proofs
#   systemd-container  to start the service under a systemd of its own
#   udev               to ask what it makes of the device rules
#   prometheus         to ask it, and its promtool, what they make of the alert rules, the dashboard and the metrics
#   mmdebstrap         to install the Debian package on bare Debians
#   lintian            to ask it what it makes of that
PROOF_PACKAGES := systemd-container udev prometheus mmdebstrap lintian
# and the PC in software
#   qemu-system-x86, qemu-utils   which is one
#   mmdebstrap, dpkg-dev, kmod, e2fsprogs, xz-utils, busybox-static   its disk
#   openssh-client     a key by which its PCs know each other
#   systemd-container  a machine of this checkout, for what documents do in one
VM_PACKAGES := qemu-system-x86 qemu-utils mmdebstrap dpkg-dev kmod e2fsprogs xz-utils busybox-static openssh-client \
  systemd-container
# A service of that name is not wanted: what would start one is not unpacked.
NO_SERVICE := $(foreach path,/etc/init.d/prometheus */systemd/system/prometheus*,-o DPkg::Options::=--path-exclude=$(path))

# PYTHON=python3.13 chooses the interpreter; each that is chosen has a virtual environment of its own.
VENV := .venv$(if $(PYTHON),-$(notdir $(PYTHON)))

# What is installed is locked, file by file, in requirements/: for each level of the environment, and pip itself.
LOCK := --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-header \
  --no-emit-package tablectl --extra build
# Two workers a core: many tests wait for a disk, a browser or another program. A worker that has none left takes some
# of another's.
WORKERS = -n $$(( $$(nproc) * 2 )) --dist worksteal
# Catalogues of texts are compiled as the program is installed.
TEXTS := $(wildcard controller/text/locale/*/LC_MESSAGES/*.po)
PIP_INSTALL := -m pip install --quiet --no-input --disable-pip-version-check --no-deps

# Where a command goes; and whom root tells of what is installed: packaging/program.sh, which the Debian package has too.
VERSION = $(shell sed -n 's/^__version__ = "\(.*\)"$$/\1/p' controller/__init__.py)
WAIT := /etc/systemd/system/systemd-time-wait-sync.service.d
BIN = $$([ "$$(id -u)" = 0 ] && echo /usr/local/bin || echo "$$HOME/.local/bin")
PROGRESS := . packaging/progress.sh
PROGRAM := $(PROGRESS); . packaging/program.sh

# A Python environment set up for something else must not reach into .venv. What is compiled is kept: else each of the
# programs that tests start would compile its modules anew, and each worker of pytest all tests.
unexport PYTHONHOME PYTHONPATH PYTHONDONTWRITEBYTECODE PIP_USER PIP_TARGET PIP_PREFIX

.DEFAULT_GOAL := help
.NOTPARALLEL:
.SUFFIXES:
.PHONY: help demo test proof test-vm lint bench mutants pictures docs texts lock sbom audit deb bundle release install service uninstall clean run-packages test-packages proof-packages vm-packages

help: ## list these targets
	@echo 'make <target>, where <target> is one of:'
	@sed -n 's/^\([a-z-]*\):.*## /  \1	/p' Makefile
	@echo 'PYTHON=python3.13 behind any of them: with that interpreter, in an environment of its own'

demo: $(VENV)/$(if $(findstring --tables,$(ARGS)),.demo,.run) ## play rounds on an emulated table, or on twelve with a floor: ARGS="--tables 12" is handed on
	@$(VENV)/bin/tablectl demo $(ARGS)

test: $(VENV)/.dev ## run the tests; ARGS="-k shoe" is handed on to pytest
	@echo 'tablectl: running the tests (all of them: 5 to 15 minutes on two cores)'
	$(VENV)/bin/python -m pytest $(WORKERS) $(ARGS)

proof: $(VENV)/.dev | proof-packages ## run the exhaustive walks and long loops; ARGS as for test
	@echo 'tablectl: running the proofs (all of them: 25 to 45 minutes on two cores)'
	$(VENV)/bin/python -m pytest $(WORKERS) -m proof $(ARGS)

test-vm: $(VENV)/.dev | vm-packages ## run tables on a real kernel, in a PC in software, and documents on bare ones (20 minutes with KVM, else an hour); ARGS="--debian trixie"
	$(VENV)/bin/python -m pytest -m vm tests/vm $(ARGS)

lint: $(VENV)/.dev ## check style, format, types and words
	$(VENV)/bin/ruff check
	$(VENV)/bin/ruff format --check
	$(VENV)/bin/mypy
	$(VENV)/bin/python -m tests.prose

bench: $(VENV)/.dev ## measure how fast the table reacts; ARGS is handed on
	$(VENV)/bin/python -m tests.bench.latency $(ARGS)

mutants: $(VENV)/.mutants ## change 200 places in all rooms, one at a time, and see whether the tests notice (an hour); ARGS="--seed 25 drivers/shoes"
	$(VENV)/bin/python -m tests.mutants $(ARGS)

pictures: $(VENV)/.dev ## take the pictures of README and documents anew, and seventy-two of all pages with contact sheets: dist/pictures; ARGS="--accept"
	$(VENV)/bin/python -m tests.browser.pictures
	$(VENV)/bin/python -m tests.browser.fault_pictures
	$(VENV)/bin/python -m tests.browser.gallery $(ARGS)

docs: $(VENV)/.dev ## make the parts of docs/ anew that come from the program
	$(VENV)/bin/python -m tests.documents

texts: $(VENV)/.dev ## compile the catalogues of texts, after a change of one
	$(VENV)/bin/python packaging/texts.py

lock: $(VENV)/.supply ## choose the newest releases that pyproject.toml allows, with their hashes: requirements/
	$(VENV)/bin/uv pip compile $(LOCK) --upgrade -o requirements/mutants.txt --extra mutants pyproject.toml
	@for level in run bus demo dev supply; do extra="--extra $$level"; [ $$level != run ] || extra=; \
	  $(VENV)/bin/uv pip compile $(LOCK) --upgrade $$extra -c requirements/mutants.txt \
	    -o requirements/$$level.txt pyproject.toml || exit 1; done

sbom: $(VENV)/.dev ## write dist/sbom.cdx.json: every package a running table or floor is made of (CycloneDX)
	@mkdir -p dist
	$(VENV)/bin/cyclonedx-py requirements --pyproject pyproject.toml --mc-type application --output-reproducible \
	  -o dist/sbom.cdx.json.part requirements/bus.txt
	@mv dist/sbom.cdx.json.part dist/sbom.cdx.json

audit: $(VENV)/.supply ## look up known holes in every package that is locked, pip included
	@for lock in requirements/*.txt; do echo "$$lock"; \
	  $(VENV)/bin/pip-audit --strict --disable-pip --require-hashes -r $$lock || exit 1; done

deb: $(VENV)/.run ## make dist/tablectl_VERSION_ARCH.deb for Debian 12 and 13; ARCH=arm64 for another PC than this
	@packaging/deb.sh $(VENV)/bin/python

bundle: deb ## the same and all that it needs, for a PC without internet: dist/tablectl-VERSION-bundle.tar
	@packaging/bundle.sh

release: $(VENV)/.dev ## write, build twice and tag a version, with sdist, wheel, deb and SBOM in dist/: RELEASE=1.2.0
	@packaging/release.sh $(VENV)/bin/python '$(RELEASE)'

install: $(VENV)/.run ## make `tablectl` a command: in /usr/local/bin for root, else in ~/.local/bin
	@$(call link,$(CURDIR)/$(VENV)/bin/tablectl,"this folder; it has to stay where it is")

service: | run-packages ## make it a service of this PC, as root: program, units tablectl@NAME and tablectl-floor@NAME, user, device names
	@[ "$$(id -u)" = 0 ] || { echo "tablectl: this is for the whole PC: sudo make service" >&2; exit 1; }
	@command -v systemctl >/dev/null || { echo "tablectl: a service needs systemd, and there is none here" >&2; exit 1; }
	@umask 022; $(call find-python,/usr/bin/python3); \
	case "$$($$python -c 'import sys; print(sys.base_prefix)')" in /home/*|/root/*) \
	  echo "tablectl: the only Python 3.11 is in somebody's home, where a service does not see it;" \
	    "apt-get install python3" >&2; exit 1 ;; esac; \
	$(PROGRAM); { new_environment $(VERSION) "$$python" && \
	meanwhile 'installing what the program needs there' \
	  "$$new/bin/python" $(PIP_INSTALL) --require-hashes -r requirements/run.txt && \
	meanwhile 'installing what the bus needs there' \
	  "$$new/bin/python" $(PIP_INSTALL) --require-hashes --no-build-isolation -r requirements/bus.txt && \
	meanwhile 'installing the program there' "$$new/bin/python" $(PIP_INSTALL) --no-build-isolation .; } || { rm -rf "$$new"; exit 1; }; \
	start_from "$$new"
	@install -D -m 644 -t /etc/systemd/system 'systemd/tablectl@.service' 'systemd/tablectl-failed@.service' 'systemd/tablectl-ship@.service' 'systemd/tablectl-floor@.service'
	@install -D -m 644 -t $(WAIT) systemd/systemd-time-wait-sync.service.d/tablectl.conf
	@install -D -m 644 -t /etc/udev/rules.d systemd/70-tablectl.rules
	@install -D -m 644 -t /etc/sysusers.d systemd/sysusers.d/tablectl.conf
	@install -D -m 644 -t /etc/tmpfiles.d systemd/tmpfiles.d/tablectl.conf
	@$(call link,/opt/tablectl/current/bin/tablectl,"the service's program")
	@$(PROGRAM); take_effect; ! is_packaged || echo 'tablectl: this stands before the package tablectl from now on;' \
	  'back to that: make uninstall'
	@echo 'tablectl: tablectl table new NAME --game baccarat, tablectl doctor /etc/tablectl/NAME.toml, then: systemctl enable --now tablectl@NAME'

uninstall: ## undo install and service; configs, records and the user whose they are stay
	@[ "$$(id -u)" != 0 ] || { $(PROGRAM); none_runs; }
	@dir="$(BIN)"; [ ! -L "$$dir/tablectl" ] || rm -v "$$dir/tablectl"
	@[ "$$(id -u)" != 0 ] || { $(PROGRAM); rm -rfv $$PROGRAM | tail -n 1; rm -fv $$LAID; reload; \
	  if is_packaged; then dpkg-reconfigure tablectl; else left_behind; fi; }

clean: ## remove everything these targets have put into this folder
	rm -rf .venv .venv-* dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks *.egg-info
	find . -name .git -prune -o -name __pycache__ -prune -exec rm -rf {} +

# $(1) becomes the command; $(2) says what that is.
define link
dir="$(BIN)"; \
if [ -e "$$dir/tablectl" ] && [ ! -L "$$dir/tablectl" ]; then \
  echo "tablectl: $$dir/tablectl is there already and no link; move it away first" >&2; exit 1; fi; \
mkdir -p "$$dir" && ln -sfn "$(1)" "$$dir/tablectl" && \
echo "tablectl: linked $$dir/tablectl to" $(2); \
case ":$$PATH:" in *":$$dir:"*) ;; *) echo "tablectl: warning: $$dir is not on your PATH" >&2 ;; esac
endef

# One virtual environment, in levels: .run is the program alone, .demo adds the studio's bus and its server, .dev what
# tests and lint need, .mutants mutmut;
# .supply is .run with what locks and audits.
# The stamps are removed before pip starts and made after it ends, so a set-up cut short runs again;
# .void marks one that was cut short, and that is made anew.
$(VENV)/.run: pyproject.toml requirements/run.txt $(TEXTS) $(VENV)/bin/python | run-packages
	$(call set-up,run)

$(VENV)/.demo: pyproject.toml requirements/demo.txt $(TEXTS) $(VENV)/bin/python | run-packages
	$(call set-up,demo)
	@touch $(VENV)/.run

$(VENV)/.dev: pyproject.toml requirements/dev.txt $(TEXTS) $(VENV)/bin/python | test-packages
	$(call set-up,dev)
	@touch $(VENV)/.run $(VENV)/.demo
	@$(VENV)/bin/python -m pytest --collect-only -q >/dev/null 2>&1 || true # compiles all tests, once for all workers

$(VENV)/.mutants: pyproject.toml requirements/mutants.txt $(VENV)/bin/python | test-packages
	$(call set-up,mutants)
	@touch $(VENV)/.run $(VENV)/.demo $(VENV)/.dev

$(VENV)/.supply: pyproject.toml requirements/supply.txt $(VENV)/bin/python | run-packages
	$(call set-up,supply)
	@touch $(VENV)/.run

# An empty rule: where the interpreter has gone (removed, or Python upgraded), the stamps are void.
$(VENV)/bin/python: ;

# It holds absolute paths: where this folder has been moved, it is void too.
$(shell [ ! -e $(VENV) ] || grep -qsF ' $(CURDIR)/$(VENV)' $(VENV)/pyvenv.cfg || \
  { touch $(VENV)/.void; rm -f $(VENV)/.run $(VENV)/.demo $(VENV)/.dev $(VENV)/.mutants $(VENV)/.supply; })

# The first Python that will do, as $$python: the one that was chosen, else $(1), else one of the common names.
define find-python
for python in $(or $(PYTHON),$(1) python3 python3.13 python3.11) ''; do \
  $${python:-false} -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && break; \
done; \
[ "$$python" ] || { echo "tablectl: needs Python 3.11 or newer with its venv module;" \
  "$(or $(PYTHON),python3) here is $$($(or $(PYTHON),python3) --version 2>/dev/null || echo missing)" >&2; exit 1; }
endef

# $(1) is what is locked for the level. An environment that works is kept. What builds those that are no wheels is in
# requirements/run.txt, so that it is locked too.
define set-up
	@rm -f $(VENV)/.run $(VENV)/.demo $(VENV)/.dev
	@[ ! -e $(VENV)/.void ] && $(VENV)/bin/python -m pip --version >/dev/null 2>&1 || { \
	  rm -rf $(VENV); \
	  $(call find-python); \
	  mkdir $(VENV) && touch $(VENV)/.void && $$python -m venv $(VENV); }
	@touch $(VENV)/.void; failed=; $(PROGRESS); \
	{ meanwhile 'installing what the program needs into $(VENV) (up to a minute)' \
	    $(VENV)/bin/python $(PIP_INSTALL) --require-hashes -r requirements/run.txt && \
	  meanwhile 'installing the packages of requirements/$(1).txt into $(VENV)' \
	    $(VENV)/bin/python $(PIP_INSTALL) --require-hashes --no-build-isolation -r requirements/$(1).txt && \
	  meanwhile 'installing the program into $(VENV)' \
	    $(VENV)/bin/python $(PIP_INSTALL) --no-build-isolation -e .; } || failed=1; \
	rm $(VENV)/.void; \
	[ ! "$$failed" ] || { echo "tablectl: pip could not install (see above); is PyPI within reach?" >&2; exit 1; }
	@touch $@
endef

# Debian packages: a look each time (some milliseconds), apt-get only when one is missing.
run-packages: PACKAGES := $(RUN_PACKAGES)
run-packages: WHY := for the virtual environment and the USB panels
test-packages: PACKAGES := $(RUN_PACKAGES) $(TEST_PACKAGES)
test-packages: WHY := for the virtual environment, the USB panels, and panels, disks that fail on order and a browser in the tests
proof-packages: PACKAGES := $(PROOF_PACKAGES)
proof-packages: WHY := for a systemd, a udev, a Prometheus and bare Debians of the tests' own
vm-packages: PACKAGES := $(VM_PACKAGES)
vm-packages: WHY := for a PC in software, and its disk
run-packages test-packages proof-packages vm-packages:
	@command -v apt-get >/dev/null && command -v dpkg-query >/dev/null || { \
	  [ -e $(VENV)/.run ] || echo "tablectl: not a Debian system; going on as if it had the likes of: $(PACKAGES)"; exit 0; }; \
	missing=; for package in $(PACKAGES); do \
	  dpkg-query -W -f '$${db:Status-Status}' $$package 2>/dev/null | grep -qx installed || missing="$$missing $$package"; \
	done; \
	[ "$$missing" ] || exit 0; \
	by_hand="by hand, as root: apt-get install$$missing"; \
	if [ "$$(id -u)" = 0 ]; then sudo=; elif command -v sudo >/dev/null; then sudo=sudo; else \
	  echo "tablectl: Debian packages are missing, and there is neither root nor sudo; $$by_hand" >&2; exit 1; fi; \
	apt="$$sudo env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=120 $(NO_SERVICE)"; \
	both() { log=$$($$apt update 2>&1; $$apt install --no-install-recommends $$missing 2>&1 </dev/null); }; \
	$(PROGRESS); meanwhile "installing the Debian packages$$missing ($(WHY))" both || { \
	  echo "$$log"; echo "tablectl: the Debian packages could not be installed; $$by_hand" >&2; exit 1; }
