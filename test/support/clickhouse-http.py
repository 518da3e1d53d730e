"""ClickHouse's HTTP interface over the library chdb, for tests on 127.0.0.1.

Statements run at the same time, each with its own connection and settings. Answers are streamed. A statement ends when
its client goes away or KILL QUERY names it. Compression is gzip only; there are no progress headers.
"""

import gzip
import json
import re
import select
import sys
import threading
import uuid
import zlib
from base64 import b64decode
from email import message_from_bytes
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

import chdb

FOLDER, USER, PASSWORD = sys.argv[1:4]

# Parameters of a URL that are neither settings nor bound values.
OWN = {
    'query', 'query_id', 'database', 'default_format', 'user', 'password', 'session_id', 'session_timeout', 'role',
    'enable_http_compression', 'compress', 'wait_end_of_query', 'buffer_size', 'send_progress_in_http_headers',
    'http_headers_progress_interval_ms', 'cancel_http_readonly_queries_on_client_close', 'client_protocol_version',
    'http_write_exception_in_output_format',
}
STATUS = {516: 403, 497: 403, 62: 400, 60: 404, 46: 404, 47: 404, 50: 404, 81: 404, 159: 408, 202: 503}
FORMAT = re.compile(r'\bFORMAT\s+(\w+)\s*;?\s*$', re.I)
STREAMED = re.compile(r'[\s(]*(select|with)\b', re.I)
# chdb chooses the ids of queries itself, so the id of the client leads the text as a comment.
OWN_ID = "extract(query, '^/[*]([^*]*)[*]/')"
HEARTBEAT_S = 0.1


def setting(value):
    return "'" + value.replace('\\', '\\\\').replace("'", "\\'") + "'"


def quoted(name):
    return '`' + name.replace('\\', '\\\\').replace('`', '\\`') + '`'


class Handler(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def do_GET(self):
        url = urlsplit(self.path)
        if url.path == '/ping':
            return self.answer(200, b'Ok.\n')
        given = dict(parse_qsl(url.query, keep_blank_values=True))
        body = self.body()
        if self.headers.get_content_type() == 'multipart/form-data':
            given |= self.fields(body)
            body = b''
        self.id = given.get('query_id') or str(uuid.uuid4())
        try:
            self.authenticate(given)
            self.execute(given, (given.get('query', '') + '\n' + body.decode()).strip())
        except Exception as error:
            self.fail(error)

    do_POST = do_GET

    def body(self):
        if self.headers.get('Transfer-Encoding') == 'chunked':
            parts = []
            while size := int(self.rfile.readline().split(b';')[0], 16):
                parts.append(self.rfile.read(size))
                self.rfile.readline()
            self.rfile.readline()
            raw = b''.join(parts)
        else:
            raw = self.rfile.read(int(self.headers.get('Content-Length') or 0))
        return gzip.decompress(raw) if self.headers.get('Content-Encoding') == 'gzip' else raw

    def fields(self, body):
        message = message_from_bytes(b'Content-Type: %b\r\n\r\n%b' % (self.headers['Content-Type'].encode(), body))
        name = lambda part: part.get_param('name', header='Content-Disposition')
        return {name(part): part.get_payload(decode=True).decode() for part in message.get_payload()}

    def authenticate(self, given):
        name = self.headers.get('X-ClickHouse-User') or given.get('user')
        key = self.headers.get('X-ClickHouse-Key') or given.get('password', '')
        basic = self.headers.get('Authorization', '')
        if basic.startswith('Basic '):
            name, _, key = b64decode(basic[6:]).decode().partition(':')
        if (name or 'default', key) != (USER, PASSWORD):
            raise RuntimeError(
                f'Code: 516. DB::Exception: {name}: Authentication failed: password is incorrect, '
                'or there is no user with such name. (AUTHENTICATION_FAILED)'
            )

    def execute(self, given, text):
        named = FORMAT.search(text)
        output = named[1] if named else self.headers.get('X-ClickHouse-Format') or given.get('default_format')
        text = FORMAT.sub('', text)
        if re.match(r'\s*kill\b', text, re.I) or 'system.processes' in text:
            text = re.sub(r'\bquery_id\b', OWN_ID, text)
        bound = {name[6:]: value for name, value in given.items() if name.startswith('param_')}
        connection = chdb.connect(FOLDER)
        try:
            # `readonly` comes last: no setting can follow it.
            for name, value in sorted(given.items(), key=lambda item: item[0] == 'readonly'):
                if name not in OWN and not name.startswith('param_'):
                    connection.query(f'SET {name} = {setting(value)}')
            database = self.headers.get('X-ClickHouse-Database') or given.get('database')
            if database:
                connection.query(f'USE {quoted(database)}')
            statement = f'/*{self.id}*/ {text}'
            if STREAMED.match(text):
                self.stream(connection, statement, output or 'TabSeparated', bound, given)
            else:
                result = connection.query(statement, output or 'TabSeparated', params=bound)
                self.answer(200, result.bytes() or b'', output)
        finally:
            connection.close()

    def stream(self, connection, statement, output, bound, given):
        ended = threading.Event()
        watch = threading.Thread(target=self.kill_without_client, args=(ended,), daemon=True)
        watch.start()
        self.started = False
        try:
            chunks = connection.send_query(statement, output, params=bound)
            packed = 'gzip' in self.headers.get('Accept-Encoding', '') and given.get('enable_http_compression') == '1'
            self.packer = zlib.compressobj(wbits=31) if packed else None
            # chdb repeats the lines of names and types in each chunk.
            repeated = output.endswith('WithNames') + 2 * output.endswith('WithNamesAndTypes')
            for chunk in chunks:
                data = chunk.bytes() or b''
                if self.started:
                    data = data.split(b'\n', repeated)[-1]
                self.start(output)
                self.chunk(data)
            self.start(output)
            self.end()
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
            self.kill()
        except Exception as error:
            if not self.started:
                raise
            self.fail_late(error)
        finally:
            ended.set()

    def kill_without_client(self, ended):
        while not ended.wait(HEARTBEAT_S):
            readable, _, _ = select.select([self.connection], [], [], 0)
            if not readable:
                continue
            try:
                left = not self.connection.recv(1, 2)  # MSG_PEEK
            except OSError:
                left = True
            if left:
                return self.kill()

    def kill(self):
        connection = chdb.connect(FOLDER)
        try:
            connection.query(f'KILL QUERY WHERE {OWN_ID} = {setting(self.id)}')
        finally:
            connection.close()

    def headings(self, code, output):
        self.send_response(code)
        self.send_header('Content-Type', 'application/json' if 'JSON' in (output or '') else 'text/plain')
        self.send_header('X-ClickHouse-Query-Id', getattr(self, 'id', ''))
        self.send_header('X-ClickHouse-Format', output or 'TabSeparated')
        self.send_header('X-ClickHouse-Timezone', 'UTC')

    def answer(self, code, body, output=None, headers=()):
        self.headings(code, output)
        self.send_header('Content-Length', str(len(body)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def start(self, output):
        if self.started:
            return
        self.started = True
        self.tag = uuid.uuid4().hex[:16]
        self.headings(200, output)
        self.send_header('X-ClickHouse-Exception-Tag', self.tag)
        self.send_header('Transfer-Encoding', 'chunked')
        if self.packer:
            self.send_header('Content-Encoding', 'gzip')
        self.end_headers()

    def chunk(self, data):
        if self.packer:
            data = self.packer.compress(data) + self.packer.flush(zlib.Z_SYNC_FLUSH)
        if data:
            self.wfile.write(b'%x\r\n%b\r\n' % (len(data), data))

    def end(self):
        if self.packer:
            data = self.packer.flush()
            self.wfile.write(b'%x\r\n%b\r\n' % (len(data), data))
        self.wfile.write(b'0\r\n\r\n')

    def fail(self, error):
        message = re.sub(r'^.*?(?=Code: \d+)', '', str(error), flags=re.S)
        code = int((re.search(r'Code: (\d+)', message) or (0, '1001'))[1])
        body = message.encode() + b'\n'
        self.answer(STATUS.get(code, 500), body, headers=[('X-ClickHouse-Exception-Code', str(code))])

    def fail_late(self, error):
        """Ends an answer that began, as the server does: the error in a frame, then no end of the answer."""
        message = re.sub(r'^.*?(?=Code: \d+)', '', str(error), flags=re.S)
        frame = f'\r\n__exception__\r\n{self.tag}\r\n{message}\n{len(message.encode()) + 1} {self.tag}\r\n__exception__\r\n'
        self.chunk(frame.encode())
        self.close_connection = True


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


# The first connection opens the data, and stays so that the data stays open.
first = chdb.connect(FOLDER)
first.query("SELECT 1")
server = Server(('127.0.0.1', 0), Handler)
print(json.dumps({'port': server.server_port}), flush=True)
server.serve_forever()
