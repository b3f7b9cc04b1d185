import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

/**
 * Connects the SDK's own client with an API key.
 * @param mode 'legacy' opens with the handshake of 2025, 'auto' finds the newest revision
 */
export const connectMcp = async (
  origin: string,
  key: string,
  { mode = 'legacy', headers = {} }: { mode?: 'legacy' | 'auto'; headers?: Record<string, string> } = {},
) => {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
  const requestInit = { headers: { authorization: `Bearer ${key}`, ...headers } }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', origin), { requestInit }))
  const callTool = async (name: string, input: Record<string, unknown> = {}) => {
    const { content, isError = false } = await client.callTool({ name, arguments: input })
    const [part] = content
    const text = part?.type === 'text' ? part.text : ''
    // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back.
    return { isError, text, data: (isError ? undefined : JSON.parse(text)) as any }
  }
  return { client, callTool }
}
