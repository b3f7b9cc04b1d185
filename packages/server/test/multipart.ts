/** Returns a form as a browser sends it. */
export const multipartOf = async (form: FormData): Promise<{ type: string; bytes: Buffer }> => {
  const written = new Response(form)
  return {
    type: written.headers.get('content-type') ?? '',
    bytes: Buffer.from(await written.arrayBuffer()),
  }
}

interface FormFile {
  bytes: Uint8Array
  name: string
  type?: string
}

/** Returns a form with text fields, and a file in the field `arquivo`. */
export const formOf = (fields: Record<string, string>, file?: FormFile): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  if (file)
    form.append('arquivo', new Blob([Uint8Array.from(file.bytes)], { type: file.type ?? '' }), file.name)
  return form
}
