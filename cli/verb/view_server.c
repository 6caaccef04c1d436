// SPDX-License-Identifier: MIT
// view_server.c: serves the viewer to a browser on this machine
//
// The server answers on the loopback address only. Other programs and pages on this machine can reach that address too,
// so every path begins with a random token, which only the printed address has. The Host header must be the server's
// own, because a foreign page can give its own name the loopback address (DNS rebinding). No answer allows other
// origins to read it. Paths are compared with those of the data: no path becomes the name of a file.
#define _GNU_SOURCE // POSIX_SPAWN_SETSID, getrandom
#include "verb/view_server.h"

#include "shared/output.h"
#include "verb/view_page.h"
#include "verb/viewer_page.h"

#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { TOKEN_BYTES = 16, TOKEN_LENGTH = 2 * TOKEN_BYTES, HOST_ROOM = 32, CONNECTIONS = 500, IDLE_SECONDS = 15 };

extern char **environ;

typedef struct view_server {
    const abut_cli_view *view;
    char token[TOKEN_LENGTH + 1];
    char hosts[2][HOST_ROOM]; ///< the names of this server, with its port
} view_server;

/// What is sent.
typedef struct answer {
    unsigned status;
    const char *type;
    const void *bytes;
    size_t size;
    int is_owned; ///< the bytes are released after sending
} answer;

static answer message(unsigned status, const char *text)
{
    return (answer){.status = status, .type = "text/plain; charset=utf-8", .bytes = text, .size = strlen(text)};
}

static int make_token(char token[TOKEN_LENGTH + 1])
{
    unsigned char bytes[TOKEN_BYTES];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) {
        return 0;
    }
    for (int i = 0; i < TOKEN_BYTES; ++i) {
        (void)snprintf(token + 2 * (size_t)i, 3, "%02x", bytes[i]);
    }
    return 1;
}

/// Whether the text begins with "/TOKEN/". Takes equally long for all texts of that length.
static int has_token(const view_server *server, const char *path)
{
    unsigned difference = 0;
    if (strlen(path) < TOKEN_LENGTH + 2) {
        return 0;
    }
    for (size_t i = 0; i < TOKEN_LENGTH; ++i) {
        difference |= (unsigned char)(path[i + 1] ^ server->token[i]);
    }
    return difference == 0 && path[0] == '/' && path[TOKEN_LENGTH + 1] == '/';
}

static answer find_data(const view_server *server, const char *path)
{
    abut_cli_view_item item;
    if (!abut_cli_view_find(server->view, path, &item)) {
        return message(MHD_HTTP_NOT_FOUND, "there is no such data\n");
    }
    abut_cli_bytes bytes = {0};
    abut_cli_view_put(server->view, item, &bytes);
    return (answer){.status = MHD_HTTP_OK,
                    .type = item.kind == ABUT_CLI_VIEW_INDEX ? "application/json" : "application/octet-stream",
                    .bytes = bytes.data,
                    .size = bytes.size,
                    .is_owned = 1};
}

static answer find_page(const view_server *server)
{
    abut_cli_text text;
    abut_cli_text_open(&text);
    abut_cli_view_print_served(server->view, text.stream);
    char *page = abut_cli_text_take(&text);
    return (answer){MHD_HTTP_OK, "text/html; charset=utf-8", page, text.size, 1};
}

static answer find_answer(const view_server *server, const char *host, const char *path, const char *method)
{
    static const char data[] = "data/";
    if (strcmp(method, MHD_HTTP_METHOD_GET) != 0) {
        return message(MHD_HTTP_METHOD_NOT_ALLOWED, "only GET is allowed\n");
    }
    if (host == NULL || (strcmp(host, server->hosts[0]) != 0 && strcmp(host, server->hosts[1]) != 0)) {
        return message(MHD_HTTP_FORBIDDEN, "the Host header names another server\n");
    }
    if (!has_token(server, path)) {
        return message(MHD_HTTP_FORBIDDEN, "the address lacks the token that abut view printed\n");
    }
    const char *rest = path + TOKEN_LENGTH + 2;
    if (rest[0] == '\0') {
        return find_page(server);
    }
    if (strcmp(rest, "viewer.js") == 0) {
        return (answer){MHD_HTTP_OK, "text/javascript; charset=utf-8", abut_viewer_script, abut_viewer_script_size,
                        0};
    }
    if (strcmp(rest, "viewer.css") == 0) {
        return (answer){MHD_HTTP_OK, "text/css; charset=utf-8", abut_viewer_style, abut_viewer_style_size, 0};
    }
    return strncmp(rest, data, sizeof data - 1) == 0 ? find_data(server, rest + sizeof data - 1)
                                                     : message(MHD_HTTP_NOT_FOUND, "there is no such page\n");
}

static enum MHD_Result send_answer(struct MHD_Connection *connection, const answer *reply)
{
    static const char *const headers[][2] = {
        {"Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
                                    "img-src data: blob:; base-uri 'none'; form-action 'none'; "
                                    "frame-ancestors 'none'"},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cache-Control", "no-store"},
        {"Allow", "GET"},
    };
    struct MHD_Response *response = MHD_create_response_from_buffer(
        reply->size, (void *)reply->bytes, reply->is_owned ? MHD_RESPMEM_MUST_FREE : MHD_RESPMEM_PERSISTENT);
    if (response == NULL) {
        if (reply->is_owned) {
            free((void *)reply->bytes);
        }
        return MHD_NO;
    }
    enum MHD_Result result = MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, reply->type);
    for (size_t i = 0; i < sizeof headers / sizeof headers[0] && result == MHD_YES; ++i) {
        result = MHD_add_response_header(response, headers[i][0], headers[i][1]);
    }
    result = result == MHD_YES ? MHD_queue_response(connection, reply->status, response) : result;
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result on_request(void *user, struct MHD_Connection *connection, const char *path,
                                  const char *method, const char *version, const char *upload, size_t *upload_size,
                                  void **state)
{
    (void)version;
    (void)upload;
    (void)state;
    *upload_size = 0;
    const char *host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST);
    answer reply = find_answer(user, host, path, method);
    return send_answer(connection, &reply);
}

/// Starts the desktop's browser in a session of its own, so that Ctrl-C does not end it. Returns 0 if there is no
/// program for that.
static int open_browser(const char *address)
{
    char *const command[] = {"xdg-open", (char *)address, NULL};
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_t settings;
    if (posix_spawnattr_init(&settings) != 0) {
        return 0;
    }
    (void)posix_spawnattr_setsigmask(&settings, &none);
    (void)posix_spawnattr_setflags(&settings, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
    pid_t child;
    int failure = posix_spawnp(&child, command[0], NULL, &settings, command, environ);
    (void)posix_spawnattr_destroy(&settings);
    return failure == 0;
}

static abut_cli_exit print_address(const view_server *server, int opens)
{
    abut_cli_text text;
    abut_cli_text_open(&text);
    (void)fprintf(text.stream, "http://%s/%s/\n", server->hosts[0], server->token);
    abut_cli_exit code = abut_cli_text_finish(&text);
    if (code == ABUT_CLI_DONE && opens) {
        char *address = abut_cli_print("http://%s/%s/", server->hosts[0], server->token);
        if (!open_browser(address)) {
            abut_cli_note("no browser could be opened: open the address above in one");
        }
        free(address);
    }
    return code;
}

abut_cli_exit abut_cli_view_serve(const abut_cli_view *view, int opens)
{
    view_server server = {.view = view};
    if (!make_token(server.token)) {
        return abut_cli_fail(ABUT_CLI_UNFINISHED, "the system has no random numbers for the address");
    }
    // The server's thread inherits this, so that the signals arrive here.
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    (void)pthread_sigmask(SIG_BLOCK, &signals, NULL);
    // With epoll, libmicrohttpd 0.9.75 does not see that connections were closed before it accepted them, and stops
    // accepting others when these are many.
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct MHD_Daemon *daemon =
        MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL, 0, NULL, NULL, on_request, &server,
                         MHD_OPTION_SOCK_ADDR, &place, MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS,
                         MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS, MHD_OPTION_END);
    const union MHD_DaemonInfo *info =
        daemon != NULL ? MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT) : NULL;
    if (info == NULL) {
        if (daemon != NULL) {
            MHD_stop_daemon(daemon);
        }
        return abut_cli_fail(ABUT_CLI_UNFINISHED, "the server could not be started on the loopback address");
    }
    (void)snprintf(server.hosts[0], HOST_ROOM, "127.0.0.1:%d", (int)info->port);
    (void)snprintf(server.hosts[1], HOST_ROOM, "localhost:%d", (int)info->port);
    abut_cli_exit code = print_address(&server, opens);
    int number = 0;
    if (code == ABUT_CLI_DONE) {
        (void)sigwait(&signals, &number);
    }
    MHD_stop_daemon(daemon);
    return code;
}
