// SPDX-License-Identifier: MIT
// report_verb.c: abut report [RESULT.json ...]: one page with all measures and pictures
#include "shared/files.h"
#include "shared/html.h"
#include "verb/report.h"
#include "verb/verbs.h"

#include <abut-lab/lab.h>
#include <stdlib.h>

#if defined(ABUT_CLI_BENCH)
#include <bench.h>
#endif

static const char STYLE[] =
    "<style>\n"
    ":root{color-scheme:light dark}\n"
    "body{font:15px/1.45 system-ui,sans-serif;max-width:1240px;margin:0 "
    "auto;padding:16px;color:#222;background:#fff}\n"
    "h1{margin:.2em 0}h2{border-bottom:1px solid #ccc;padding-bottom:4px;margin-top:2em}h4{margin:4px 0}\n"
    "nav a{margin-right:16px}.scroll{overflow-x:auto}.none,.note{color:#666}\n"
    "table{border-collapse:collapse}.plain td,.plain th{padding:2px 8px;border-bottom:1px solid "
    "#ddd;text-align:left}\n"
    ".plain .end{text-align:right}.bar{display:inline-block;height:.7em;background:#0072b2;margin-right:6px}\n"
    ".matrix td{padding:1px;text-align:center}.matrix .row{text-align:left;padding-right:10px;white-space:nowrap}\n"
    ".matrix "
    ".turned{font-weight:normal;vertical-align:bottom;width:60px;font-size:12px;line-height:1.2}\n"
    ".matrix .sum{white-space:nowrap;padding:0 8px}.matrix .over{border-left:2px solid #999}\n"
    ".matrix a{text-decoration:none;color:inherit}.matrix td a{display:block}\n"
    ".v,.cell{display:block;min-width:46px;padding:5px "
    "2px;font-size:14px;border-radius:3px;font-variant-numeric:tabular-nums}\n"
    ".matrix .v,.help{display:none}label{padding:3px 10px;border:1px solid "
    "#999;border-radius:14px;cursor:pointer}\n"
    "section>input{position:absolute;opacity:0}input:checked+label{background:#0072b2;color:#fff}\n"
    "input:focus-visible+label{outline:2px solid #d55e00}#engines+label{margin-left:14px;border-style:dashed}\n"
    ".engine{display:none}#engines:checked~.scroll tr.engine{display:table-row}"
    "#engines:checked~.note .engine{display:inline}\n"
    "#view-quality:checked~.scroll .v.quality,#view-coverage:checked~.scroll .v.coverage,"
    "#view-excess:checked~.scroll .v.excess,#view-paper-quality:checked~.scroll .v.paper-quality,"
    "#view-paper-coverage:checked~.scroll .v.paper-coverage,#view-quality:checked~.help.quality,"
    "#view-coverage:checked~.help.coverage,#view-excess:checked~.help.excess,"
    "#view-paper-quality:checked~.help.paper-quality,#view-paper-coverage:checked~.help.paper-coverage"
    "{display:block}\n"
    ".figures{display:flex;flex-wrap:wrap;gap:14px}figure{margin:0;padding:8px;border:1px solid "
    "#ddd;border-radius:6px}\n"
    "figure:target{outline:3px solid "
    "#0072b2}figure.small{width:281px}figure.small>svg{max-width:100%;height:auto}\n"
    ".fault{display:flex;gap:8px;width:376px;font-size:14px}.fault p{margin:4px 0}.fault div{flex:1}\n"
    ".fault>svg{width:150px;height:200px}.why{margin:4px 0;font-size:14px}\n"
    ".good{background:#0072b2;color:#fff;font-size:12px;padding:1px 7px;border-radius:8px}\n"
    "figcaption{font-size:13px;color:#555}summary{cursor:pointer;padding:3px 0}\n"
    ".chart{width:520px;max-width:100%;background:#fff}.sphere{width:300px;background:#fff}\n"
    ".legend{max-width:520px;font-size:12px;background:#fff;color:#222;padding:2px 4px}.legend "
    "span{white-space:nowrap;margin-right:8px}\n"
    ".grid{stroke:#ddd;fill:none}.curve{fill:none;stroke-width:1.7}.tick{font-size:11px}.mid{text-anchor:middle}\n"
    ".end{text-anchor:end}.globe{fill:#f4f4f4;stroke:#999}.normal{fill:#0072b2;fill-opacity:.5}\n"
    "@media(prefers-color-scheme:dark){body{background:#1b1d21;color:#ddd}figure{border-color:#444}"
    "figcaption,.none,.note{color:#aaa}a{color:#8ac4ee}.chart,.sphere{border-radius:4px}}\n"
    "</style>\n";

static void print_head(const abut_cli_report_page *page, FILE *out)
{
    int own = 0; // without other engines
    for (int m = 0; m < page->methods.count; ++m) {
        own += abut_method_find(page->methods.items[m]) != NULL;
    }
    (void)fprintf(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Contact methods, measured"
        "</title>\n<meta name=\"viewport\" content=\"width=device-width\">\n%s</head><body>\n"
        "<h1>Contact methods, measured</h1>\n"
        "<p>How good are the contact points of %d methods? Made by Abut, offline, with the cases and measures "
        "of Erleben 2018.</p>\n<nav><a href=\"#matrix\">which method fails where</a> "
        "<a href=\"#faults\">what goes wrong</a> "
        "<a href=\"#cases\">pictures</a> <a href=\"#scenes\">structures</a> "
        "<a href=\"#runs\">simulations, studies, benchmarks</a> <a href=\"#made\">how this page was made</a>"
        "</nav>\n",
        STYLE, own);
}

static void print_foot(const abut_cli_report_page *page, FILE *out)
{
    (void)fputs("<section id=\"made\"><h2>How this page was made</h2>\n<p><code>", out);
    abut_cli_html_text(out, page->command);
    (void)fprintf(out, "</code></p>\n<p>Build %s", abut_lab_build());
#if defined(ABUT_CLI_BENCH)
    (void)fprintf(out, ", commit %s", bench_get_build().commit);
#endif
    (void)fputs(". The table and the pictures are of the state touching, with default options; "
                "docs/cases.md explains cases and measures.</p></section>\n</body></html>\n",
                out);
}

/// The command line as it was given. Release with free().
static char *command_text(const abut_cli_arguments *arguments)
{
    abut_cli_text text;
    abut_cli_text_open(&text);
    (void)fputs("abut report", text.stream);
    for (int i = 0; i < arguments->operand_count; ++i) {
        (void)fprintf(text.stream, " %s", arguments->operands[i]);
    }
    for (int i = 0; i < arguments->value_count; ++i) {
        (void)fprintf(text.stream, " --%s %s", arguments->values[i].option->name, arguments->values[i].text);
    }
    return abut_cli_text_take(&text);
}

static abut_cli_exit write_page(const abut_cli_report_page *page, const char *folder)
{
    abut_cli_exit code = abut_cli_make_folder(folder);
    if (code != ABUT_CLI_DONE) {
        return code;
    }
    abut_cli_text text;
    abut_cli_text_open(&text);
    print_head(page, text.stream);
    abut_cli_report_print_matrix(page, text.stream);
    abut_cli_report_print_summary(page, text.stream);
    abut_cli_report_print_cases(page, text.stream);
    abut_cli_report_print_scenes(page, text.stream);
    abut_cli_report_print_saved(page, text.stream);
    print_foot(page, text.stream);
    char *path = abut_cli_print("%s/index.html", folder);
    code = abut_cli_write_printed(path, &text);
    if (code == ABUT_CLI_DONE) {
        (void)printf("%s\n", path);
    }
    free(path);
    return code;
}

static abut_cli_exit run(const abut_cli_arguments *arguments)
{
    const char *folder = abut_cli_value_of(arguments, "out");
    abut_cli_report_page page = {.command = command_text(arguments)};
    abut_cli_exit code = abut_cli_report_load(&page, arguments); // first: a wrong file is told at once
    code = code != ABUT_CLI_DONE ? code : abut_cli_report_compute(&page);
    if (code == ABUT_CLI_DONE) {
        abut_cli_report_add_saved(&page);
        abut_cli_report_add_peers(&page);
    }
    code = code != ABUT_CLI_DONE ? code : write_page(&page, folder != NULL ? folder : "report");
    abut_cli_report_page_release(&page);
    return code;
}

static const abut_cli_option options[] = {
    {"out", "DIR", "folder of the page, DIR/index.html (default: report)", 0, 0},
};

const abut_cli_verb abut_cli_report_verb = {
    .name = "report",
    .summary = "Write one page with all measures, pictures and plots.",
    .usage = "[RESULT.json ...] [options]",
    .details =
        "Measures all methods on the fundamental cases, on Pillar, Wall and Arch, and on bodies that overlap,\n"
        "and writes a page that needs no network: a table of methods by cases, a picture of every case as\n"
        "every method sees it, curves and their numbers. Results of abut assess, simulate, study and bench,\n"
        "saved with --format json, are added; rows of other engines become rows of the table.\n",
    .example = "  abut study perturbation --format json > perturbation.json\n"
               "  abut report perturbation.json --out report\n",
    .options = options,
    .option_count = (int)(sizeof options / sizeof options[0]),
    .operand_minimum = 0,
    .operand_maximum = -1,
    .run = run,
};
