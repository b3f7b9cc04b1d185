import { MAX_UPLOAD_BYTES } from '@bi-manager/contract'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { Problem } from '../../lib/problem.ts'
import { liftBodyTimeLimit } from './body-time.ts'
import { createUploadLimiter } from './uploads-under-way.ts'

/** Has no file name: the sender's name and path are never used. */
export interface UploadedFile {
  bytes: Buffer<ArrayBuffer>
}

declare module 'fastify' {
  interface FastifyRequest {
    uploadedFile: UploadedFile | undefined
    /** Frees the slot of this upload. */
    uploadEnds: (() => void) | undefined
  }
}

/** Bytes after which reading stops: the connection closes and the sender may get no answer. */
const MAX_READ = 2 * MAX_UPLOAD_BYTES
const FIELD_BYTES = 16 * 1024
const NAME_LENGTH = 100

/**
 * Makes the routes of this scope accept multipart/form-data and nothing else. The text fields
 * become the body, which the route's schema validates; the file of the field `file` becomes
 * `request.uploadedFile`.
 */
export const acceptMultipart = async (scope: FastifyInstance, file: string): Promise<void> => {
  scope.removeAllContentTypeParsers()
  await scope.register(multipart, {
    throwFileSizeLimit: false,
    limits: {
      fieldSize: FIELD_BYTES,
      fields: 20,
      // One more than allowed, so that a second file gets its own message.
      files: 2,
      parts: 22,
      headerPairs: 20,
      fileSize: MAX_READ + 1,
    },
  })
  scope.addContentTypeParser('*', () => {
    throw notMultipart()
  })
  scope.decorateRequest('uploadedFile', undefined)
  scope.decorateRequest('uploadEnds', undefined)
  const takePlace = createUploadLimiter()
  scope.addHook('preValidation', async (request, reply) => {
    if (!request.isMultipart()) throw notMultipart()
    try {
      request.uploadEnds = takePlace(request.caller?.idUsuario ?? 0)
      liftBodyTimeLimit(request)
      const { fields, upload } = await readParts(request, file)
      request.body = fields
      request.uploadedFile = upload
    } catch (error) {
      // The rest of the body would be parsed as the next request.
      if (!request.raw.readableEnded) reply.header('connection', 'close')
      throw asProblem(error)
    }
  })
  // Runs also after the client has disconnected: the work lasts until here.
  scope.addHook('onSend', async (request) => request.uploadEnds?.())
}

/** Adds the file to the text fields, for the OpenAPI description. */
export const withFile = (body: z.ZodType, file: string): z.ZodType => {
  if (!(body instanceof z.ZodObject)) throw new Error('The schema of a multipart body must be an object.')
  return body.extend({ [file]: z.any().optional().meta({ type: 'string', format: 'binary' }) })
}

const notMultipart = () =>
  new Problem('formato_nao_suportado', { detail: 'Envie os dados como formulário (multipart/form-data).' })
const malformed = (detail: string, cause?: unknown) => new Problem('requisicao_invalida', { detail, cause })

interface Parts {
  fields: Record<string, unknown>
  upload: UploadedFile | undefined
}

const readParts = async (request: FastifyRequest, file: string): Promise<Parts> => {
  if (Number(request.headers['content-length'] ?? 0) > MAX_READ + FIELD_BYTES * 20) throw tooLarge()
  const fields = new Map<string, unknown>()
  let upload: UploadedFile | undefined
  for await (const part of request.parts()) {
    const name = part.fieldname ?? ''
    if (name.length > NAME_LENGTH) throw new Problem('corpo_grande_demais')
    if (part.type === 'file') {
      const bytes = await readFile(part.file, request.headers)
      // An empty file field of a form: no name, no bytes.
      if (!part.filename && bytes.length === 0) continue
      if (name !== file) throw malformed(`O arquivo vem no campo ${file}, e só nele.`)
      if (upload) throw malformed('Envie um arquivo de cada vez.')
      upload = { bytes }
    } else {
      if (name === file) {
        if (part.value === '') continue
        throw malformed(`O campo ${file} traz um texto, e não um arquivo.`)
      }
      if (part.valueTruncated) throw new Problem('corpo_grande_demais')
      if (fields.has(name)) throw malformed('Um dos campos veio mais de uma vez.')
      fields.set(name, part.value)
    }
  }
  return { fields: Object.fromEntries(fields), upload }
}

/** Checks the exact length after reading, because the parser's limit only truncates. */
const readFile = async (
  stream: AsyncIterable<Buffer>,
  { 'content-length': said }: FastifyRequest['headers'],
): Promise<Buffer<ArrayBuffer>> => {
  // Joining chunks at the end would need twice the memory. Unwritten pages take none.
  const bytes = Buffer.allocUnsafeSlow(Math.min(Number(said ?? MAX_UPLOAD_BYTES), MAX_UPLOAD_BYTES))
  let length = 0
  for await (const chunk of stream) {
    // A file cannot be longer than its body.
    if (length + chunk.length <= bytes.length) chunk.copy(bytes, length)
    length += chunk.length
    if (length > MAX_READ) break
  }
  if (length > MAX_UPLOAD_BYTES) throw tooLarge()
  return bytes.subarray(0, length)
}

const tooLarge = () => new Problem('arquivo_grande_demais')

const asProblem = (error: unknown): unknown => {
  if (error instanceof Problem) return error
  const code = (error as { code?: string }).code ?? ''
  if (/^FST_(PARTS|FIELDS)_LIMIT$/.test(code)) return new Problem('corpo_grande_demais', { cause: error })
  if (code === 'FST_FILES_LIMIT') return malformed('Envie um arquivo de cada vez.', error)
  // Parser errors: no boundary, truncated body, malformed header, a field of Object.prototype.
  return malformed('O formulário não pôde ser lido: veio incompleto ou malformado. Tente novamente.', error)
}
