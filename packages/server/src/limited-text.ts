/** The whole body of an answer of another server. One without end must not take the process with it. */
export const limitedBytes = async (response: Response, maxBytes: number): Promise<Buffer> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw new Error(`the answer is larger than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The same as text. */
export const limitedText = async (response: Response, maxBytes: number): Promise<string> =>
  (await limitedBytes(response, maxBytes)).toString('utf8')
