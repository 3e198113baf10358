"""How ``make docs`` builds the documentation: nothing is fetched, and a warning is an error."""

import os
import sys
import warnings
from importlib.metadata import version as installed
from pathlib import Path

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS / "_extensions"))

project = "allrelevant"
author = "the allrelevant developers"
project_copyright = author
release = installed("allrelevant")
version = ".".join(release.split(".")[:2])

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "myst_parser",
    "numpydoc",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "mathml",
]
exclude_patterns = [
    "_build",
    "gallery/*.ipynb",
    "gallery/GALLERY_HEADER.rst",
    "sg_execution_times.rst",
]
nitpicky = False
templates_path = ["_templates"]

# Pages
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 4
suppress_warnings = ["config.cache", "myst.domains"]

# Reference
autosummary_generate = True
autodoc_typehints = "none"
toc_object_entries_show_parents = "hide"
numpydoc_show_class_members = False
numpydoc_xref_param_type = False
# All but what our docstrings leave out on purpose: other sections where a line says it all, types
# of parameters that are those of another class, an order by what matters, examples of methods.
numpydoc_validation_checks = {
    *("all", "SA01", "ES01", "EX01", "GL08", "SS03", "SS05", "YD01"),
    *("PR01", "PR02", "PR03", "PR04", "PR07", "RT01", "RT02", "RT03"),
}

# Gallery. What reads a file that does not come with the package is shown and not run.
os.environ.setdefault("OMP_NUM_THREADS", "1")
warnings.filterwarnings("ignore", message="no feature is strong")
sphinx_gallery_conf = {
    "examples_dirs": str(DOCS.parent / "examples"),
    "gallery_dirs": "gallery",
    "filename_pattern": r"plot_(?!compas)",
    "reference_url": {},
    "download_all_examples": False,
    "show_memory": False,
    "show_signature": False,
    "min_reported_time": 1e9,
    "write_computation_times": False,
    "abort_on_example_error": True,
    "default_thumb_file": str(DOCS / "images" / "compas.png"),
    "plot_gallery": os.environ.get("ALLRELEVANT_DOCS_GALLERY", "True"),
}

# Look
html_theme = "pydata_sphinx_theme"
html_title = "allrelevant"
html_static_path = ["_static"]
html_css_files = ["allrelevant.css"]
html_show_sourcelink = False
html_copy_source = False
html_sidebars = {"index": []}
html_theme_options = {
    "logo": {"text": "allrelevant"},
    "navigation_with_keys": False,
    "show_prev_next": False,
    "show_toc_level": 2,
    "header_links_before_dropdown": 6,
    "navbar_align": "left",
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": ["page-toc"],
}
html_context = {"default_mode": "auto"}
