#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole-process benchmarks: list to CSV beside a peer that does less, in interleaved pairs on loopback.

Prints every pair and the best and median ratio. A figure never fails the run: only a wrong result does.
"""
import asyncio
import csv
import multiprocessing
import os
import pathlib
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

BODY = 2048
URLS = 20_000
SLOW_URLS = 5_000
AT_ONCE = 64


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def timed(command, **kwargs):
    """Runs a command; returns wall seconds, CPU seconds (user and system) and the peak memory in MiB."""
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **kwargs)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - begin
    if status != 0:
        sys.exit(f"{command[0]} ended with {os.waitstatus_to_exitcode(status)}: {errors[-2000:].decode()}")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


class Nginx:
    """One worker that answers every path with the same 2 KB."""

    def __init__(self, folder):
        self.port = free_port()
        self.folder = folder
        body = "x" * BODY
        (folder / "nginx.conf").write_text(
            f"worker_processes 1; pid {folder}/nginx.pid; error_log stderr error; daemon off;\n"
            "events { worker_connections 1024; }\n"
            "http { access_log off; keepalive_requests 1000000; client_body_temp_path body; proxy_temp_path proxy;\n"
            "  fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;\n"
            f"  server {{ listen 127.0.0.1:{self.port}; location / {{ return 200 '{body}'; }} }} }}\n")
        self.process = subprocess.Popen(["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")], stderr=subprocess.DEVNULL)
        for _ in range(200):
            with socket.socket() as s:
                if s.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.02)
        sys.exit("nginx does not listen")

    def close(self):
        self.process.terminate()
        self.process.wait()


def slow_server(port, ready, most):
    """Answers each request after 50 ms and keeps the highest number of requests open at once."""
    state = {"now": 0}

    async def serve(reader, writer):
        try:
            while await reader.readuntil(b"\r\n\r\n"):
                state["now"] += 1
                most.value = max(most.value, state["now"])
                await asyncio.sleep(0.05)
                state["now"] -= 1
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Type: text/plain\r\n\r\nhello")
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def main():
        server = await asyncio.start_server(serve, "127.0.0.1", port)
        ready.set()
        async with server:
            await server.serve_forever()

    asyncio.run(main())


def right_rows(path, count):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    right = sum(r["state"] == "done" and r["code"] == "200" for r in rows)
    if len(rows) != count or right != count:
        sys.exit(f"{path}: {len(rows)} rows, {right} of {count} right")
    return rows


def list_to_csv(cli, pairs, folder):
    nginx = Nginx(folder)
    urls = folder / "urls.txt"
    urls.write_text("".join(f"http://127.0.0.1:{nginx.port}/item/{i}\n" for i in range(URLS)))
    memory = pathlib.Path("/dev/shm") / f"muster-bench-{os.getpid()}"
    ratios = []
    try:
        for pair in range(pairs):
            out = folder / "out.csv"
            wall, cpu, peak = timed([cli, "fetch", str(urls), "-o", str(out), "--at-once", str(AT_ONCE), "--progress", "none"])
            if any(r["bytes"] != str(BODY) for r in right_rows(out, URLS)):
                sys.exit("a body has the wrong length")
            out.unlink()
            memory.mkdir()
            peer_wall, peer_cpu, peer_peak = timed(
                ["aria2c", f"-j{AT_ONCE}", "-i", str(urls), "-d", str(memory), "--file-allocation=none", "--quiet=true",
                 "--download-result=hide", "--no-conf=true"])
            shutil.rmtree(memory)
            ratios.append(cpu / peer_cpu)
            print(f"  pair {pair + 1}: muster {cpu:.2f} s CPU, {wall:.2f} s, {peak:.0f} MiB;"
                  f" aria2c {peer_cpu:.2f} s CPU, {peer_wall:.2f} s, {peer_peak:.0f} MiB; CPU ratio {ratios[-1]:.2f}")
    finally:
        nginx.close()
        shutil.rmtree(memory, ignore_errors=True)
    print(f"list to CSV, {URLS} URLs of {BODY} bytes, {AT_ONCE} at once: CPU of muster / CPU of aria2c"
          f" best {min(ratios):.2f}, median {statistics.median(ratios):.2f} (bar: 1.00)")


def one_slow_host(cli, pairs, folder):
    port = free_port()
    ready, most = multiprocessing.Event(), multiprocessing.Value("i", 0)
    server = multiprocessing.Process(target=slow_server, args=(port, ready, most), daemon=True)
    server.start()
    ready.wait(10)
    urls = folder / "slow.txt"
    urls.write_text("".join(f"http://127.0.0.1:{port}/{i}\n" for i in range(SLOW_URLS)))
    config = folder / "curl.txt"
    config.write_text("".join(f'url = "http://127.0.0.1:{port}/{i}"\noutput = "/dev/null"\n' for i in range(SLOW_URLS)))
    ratios = []
    for pair in range(pairs):
        out = folder / "slow.csv"
        most.value = 0
        wall, _, _ = timed([cli, "fetch", str(urls), "-o", str(out), "--at-once", str(AT_ONCE), "--progress", "none"])
        right_rows(out, SLOW_URLS)
        out.unlink()
        seen = most.value
        peer_wall, _, _ = timed(["curl", "-s", "-Z", "--parallel-max", str(AT_ONCE), "-K", str(config)])
        ratios.append(peer_wall / wall)
        print(f"  pair {pair + 1}: muster {SLOW_URLS / wall:.0f}/s with at most {seen} at once at the server;"
              f" curl {SLOW_URLS / peer_wall:.0f}/s; ratio {ratios[-1]:.2f}")
        if not 60 <= seen <= AT_ONCE:
            sys.exit(f"the server saw {seen} at once, expected 60 to {AT_ONCE}")
    server.terminate()
    print(f"one host that answers after 50 ms: rate of muster / rate of curl -Z best {max(ratios):.2f},"
          f" median {statistics.median(ratios):.2f} (bar: 0.93)")


def main():
    cli = str(pathlib.Path(sys.argv[1]) / "app" / "muster-cli")
    pairs = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    for peer in ("nginx", "aria2c", "curl"):
        if shutil.which(peer) is None:
            sys.exit(f"{peer} is not installed")
    with tempfile.TemporaryDirectory() as folder:
        list_to_csv(cli, pairs, pathlib.Path(folder))
        one_slow_host(cli, pairs, pathlib.Path(folder))


if __name__ == "__main__":
    main()
