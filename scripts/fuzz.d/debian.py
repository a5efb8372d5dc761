"""The importers over the kits, instruments and sounds that Debian packages.

Usage: debian.py BANDSHELL FOLDER [PACKAGE…]
Packages are downloaded to FOLDER and unpacked there; nothing is installed. Each drum kit, each
preset of a SoundFont, each SFZ file and each folder of sounds is imported. Printed is how many
became a kit or an instrument, how many were refused, and why. It fails where an import ends in
another way than these, or where nothing could be imported of a package.
"""

import collections
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

PACKAGES = [
    "hydrogen-drumkits", "hydrogen-drumkits-effects", "sonic-pi-samples", "avldrums.lv2-soundfont",
    "timgm6mb-soundfont", "opl3-soundfont", "fluid-soundfont-gs", "fluidr3mono-gm-soundfont",
    "musescore-general-soundfont-small",
]
SOUNDS = {".wav", ".flac", ".ogg", ".aif", ".aiff", ".mp3"}
FONTS = {".sf2", ".sf3"}
# What `bandshell` ends with where a source cannot be read.
REFUSED = 65
# Seconds for one import.
PATIENCE = 120


def fetched(package, folder):
    """The folder that the package is unpacked in; None where it cannot be had."""
    unpacked = folder / package
    if unpacked.exists():
        return unpacked
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        got = subprocess.run(["apt-get", "download", "-q", package], cwd=scratch, capture_output=True, text=True)
        files = list(pathlib.Path(scratch).glob("*.deb"))
        if got.returncode != 0 or not files:
            print(f"{package}: left out, for it cannot be downloaded: {got.stderr.strip().splitlines()[-1:]}")
            return None
        subprocess.run(["dpkg-deb", "-x", files[0], scratch + "/root"], check=True)
        shutil.move(scratch + "/root", unpacked)
    return unpacked


def presets(bandshell, font):
    listed = subprocess.run([bandshell, "instruments", "import", font, "--list"], capture_output=True, text=True)
    numbers = (line.split()[0] for line in listed.stdout.splitlines() if line.strip())
    return [number for number in numbers if number.replace(":", "").isdigit()]


def sources(bandshell, root):
    """What there is to import: (kind, what is printed, words of the command line)."""
    folders = collections.Counter()
    for path in sorted(root.rglob("*")):
        name, suffix = str(path.relative_to(root)), path.suffix.lower()
        # A link leads to what is found without it, or out of the package.
        if path.is_symlink() or not path.is_file():
            continue
        if path.name == "drumkit.xml":
            yield "drum kits", name, ["kits", "import", path.parent, "--output"]
        elif suffix == ".h2drumkit":
            yield "drum kits", name, ["kits", "import", path, "--output"]
        elif suffix == ".sfz":
            yield "SFZ files", name, ["instruments", "import", path, "--into"]
        elif suffix in FONTS:
            for preset in presets(bandshell, path):
                yield "presets", f"{name} {preset}", ["instruments", "import", path, "--preset", preset, "--into"]
        elif suffix in SOUNDS:
            folders[path.parent] += 1
    for folder in folders:
        if not (folder / "drumkit.xml").exists():
            yield "folders of sounds", str(folder.relative_to(root)), ["kits", "import", folder, "--output"]


def imported(bandshell, words, folder):
    """"whole", "with warnings", "refused" or "broken", and what it said."""
    made = folder / "made"
    try:
        done = subprocess.run([bandshell, *words, made], capture_output=True, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return "broken", f"no end after {PATIENCE} s"
    finally:
        for left in folder.glob("made*"):
            shutil.rmtree(left)
    said = (done.stderr.strip() or done.stdout.strip()).splitlines()
    if done.returncode == 0:
        return ("with warnings" if any("warning" in line for line in said) else "whole"), ""
    why = said[0] if said else f"exit code {done.returncode}, without a word"
    return ("refused" if done.returncode == REFUSED and said else "broken"), why


def main(bandshell, folder, packages):
    folder.mkdir(parents=True, exist_ok=True)
    broken = 0
    for package in packages:
        root = fetched(package, folder)
        if root is None:
            continue
        counts, reasons = collections.defaultdict(collections.Counter), collections.Counter()
        with tempfile.TemporaryDirectory() as scratch:
            for kind, name, words in sources(bandshell, root):
                end, why = imported(bandshell, words, pathlib.Path(scratch))
                counts[kind][end] += 1
                if why:
                    reasons[why.replace(str(root), "")] += 1
                if end == "broken":
                    broken += 1
                    print(f"  BROKEN {name}: {why}")
        print(f"{package}:" + ("" if counts else " nothing of a kind that can be imported"))
        for kind, ends in counts.items():
            print(f"  {sum(ends.values())} {kind}: " + ", ".join(f"{count} {end}" for end, count in ends.most_common()))
        for why, count in reasons.most_common(5):
            print(f"    {count} × {why[:160]}")
        sys.stdout.flush()
    return 1 if broken else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).absolute(), sys.argv[3:] or PACKAGES))
