"""The Python SDK of the Model Context Protocol against the running service: URL, TOKEN, WORKSPACE as arguments; with a fourth one
only calls that are slow and report no progress.

Prints a line for each thing that it did, and ends with an assertion's trace at the first that is not so."""

import asyncio
import sys
import time

from mcp import Client, MCPError
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client

url, token, workspace = sys.argv[1:4]


def transport(headers):
    return streamable_http_client(url, http_client=create_mcp_http_client(headers=headers))


async def use(mode):
    async with Client(transport({"authorization": f"Bearer {token}"}), mode=mode) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        assert {"list_workspaces", "search", "ask", "read_file", "write_file"} <= set(names), names
        print(mode, "listed", len(names), "tools")

        found = await client.call_tool("search", {"workspaceId": workspace, "query": "Firth bridge"})
        assert "2467 metres" in "".join(part.text for part in found.content), found
        heard = []

        async def hear(done, total, message):
            heard.append(message)

        question = {"workspaceId": workspace, "question": "How long is the Firth bridge?"}
        answer = await client.call_tool("ask", question, progress_callback=hear)
        assert not answer.is_error, answer
        [citation] = answer.structured_content["citations"]
        assert citation["verified"] and citation["path"] == "bridges.md", citation
        assert "searching" in heard, heard
        print(mode, "asked:", citation["path"], citation["quote"])

        resources = (await client.list_resources()).resources
        uri = next(str(one.uri) for one in resources if one.name == "bridges.md")
        assert "1890" in (await client.read_resource(uri)).contents[0].text
        prompt = await client.get_prompt("code-walkthrough", {"target": "src/x"})
        assert "src/x" in prompt.messages[0].content.text
        print(mode, "read", uri, "and a prompt")

        refused = await client.call_tool("search", {"workspaceId": workspace, "query": ""})
        assert refused.is_error and "query" in refused.content[0].text, refused
        unknown = await client.call_tool("search", {"workspaceId": "nobody", "query": "x"})
        assert unknown.is_error and "workspace does not exist" in unknown.content[0].text, unknown
        for work in (client.call_tool("no_such_tool", {}), client.get_prompt("no-such-prompt")):
            try:
                await work
            except MCPError:
                continue
            raise AssertionError("was not refused")
        print(mode, "was refused four times")


async def stranger():
    try:
        async with Client(transport({})) as client:
            await client.list_tools()
    except Exception:
        print("a stranger was refused")
        return
    raise AssertionError("a stranger came in")


async def ask_slowly(mode):
    async with Client(transport({"authorization": f"Bearer {token}"}), mode=mode) as client:
        question = {"workspaceId": workspace, "question": "How long is the Firth bridge?"}
        begun = time.monotonic()
        answer = await client.call_tool("ask", question)
        assert not answer.is_error and answer.structured_content["citations"], answer
        print(mode, "asked without progress, for", round(time.monotonic() - begun), "s through CloudFront")


async def main():
    if sys.argv[4:]:
        await asyncio.gather(ask_slowly("auto"), ask_slowly("legacy"))
        return
    await use("auto")
    await use("legacy")
    await stranger()


asyncio.run(main())
