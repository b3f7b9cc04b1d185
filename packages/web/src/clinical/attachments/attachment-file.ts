import { type Attachment, type AttachmentType, MAX_UPLOAD_BYTES, ownValue } from '@bi-manager/contract'
import { sizeText } from '../../lib/text/size-text.ts'

/** Accepted formats by MIME type. A check before the upload; the server inspects all bytes. */
const formats: Record<string, Format> = {
  'image/png': {
    type: 'IMG',
    name: 'PNG',
    endings: ['.png'],
    begins: (start) => start.startsWith('\x89PNG\r\n\x1a\n'),
  },
  'image/jpeg': {
    type: 'IMG',
    name: 'JPEG',
    endings: ['.jpg', '.jpeg'],
    begins: (start) => start.startsWith('\xff\xd8\xff'),
  },
  'image/webp': {
    type: 'IMG',
    name: 'WebP',
    endings: ['.webp'],
    begins: (start) => start.startsWith('RIFF') && start.startsWith('WEBP', 8),
  },
  'application/pdf': {
    type: 'PDF',
    name: 'PDF',
    endings: ['.pdf'],
    begins: (start) => start.startsWith('%PDF-'),
  },
}

interface Format {
  type: AttachmentType
  name: string
  endings: string[]
  /** Returns whether the first bytes, one character each, are this format's signature. */
  begins: (start: string) => boolean
}

/** Accepted MIME types and extensions of the file field. */
export const ACCEPTED = Object.fromEntries(
  Object.entries(formats).map(([mime, { endings }]) => [mime, endings]),
)
/** Accepted MIME types of the camera button: images only. */
export const ACCEPTED_PHOTOS = Object.keys(formats)
  .filter((mime) => ownValue(formats, mime)?.type === 'IMG')
  .join(',')

export const FILE_HINT = 'PNG, JPEG, WebP ou PDF, até 10 MB'

/** Returns the attachment type by MIME type or extension; undefined for unaccepted formats. */
export const typeOfFile = (file: Pick<File, 'type' | 'name'>): AttachmentType | undefined =>
  formatOf(file)?.type

/**
 * Returns why a file cannot be sent, by its name, size and first bytes; undefined when it can.
 * The server checks the rest.
 */
export const fileFault = async (file: File): Promise<string | undefined> => {
  const format = formatOf(file)
  if (!format) return SEND
  if (file.size === 0) return 'O arquivo está vazio.'
  if (file.size > MAX_UPLOAD_BYTES) {
    const [size, limit] = [sizeText(file.size), sizeText(MAX_UPLOAD_BYTES)]
    return size === limit
      ? `O arquivo tem mais de ${limit}, que é o limite.`
      : `O arquivo tem ${size}; o limite é ${limit}.`
  }
  const start = await startOf(file)
  if (start === undefined) return 'O navegador não conseguiu ler o arquivo. Escolha-o de novo.'
  const actual = Object.values(formats).find(({ begins }) => begins(start))
  // The server re-encodes every image, so a PNG named .jpg is fine.
  if (actual?.type === format.type) return undefined
  return actual
    ? `O conteúdo é ${actual.name}, mas o arquivo se apresenta como ${format.name}. Corrija a extensão do nome.`
    : `O conteúdo não é ${format.name}, embora o nome diga que é. ${SEND}`
}

/** Returns format and size: 'PDF · 2,3 MB'. */
export const fileText = (file: Pick<File, 'type' | 'name' | 'size'>): string =>
  [formatOf(file)?.name, sizeText(file.size)].filter(Boolean).join(' · ')

/** Returns 'PDF · 2,3 MB' for a stored file; undefined for an attachment without a file. */
export const keptFileText = ({
  formato,
  tamanho_bytes,
}: Pick<Attachment, 'formato' | 'tamanho_bytes'>): string | undefined =>
  formato === null
    ? undefined
    : [ownValue(formats, formato)?.name ?? formato, tamanho_bytes !== null && sizeText(tamanho_bytes)]
        .filter(Boolean)
        .join(' · ')

/** Returns a file name without personal data: other people may see the downloads folder. */
export const downloadName = ({ id, formato }: Pick<Attachment, 'id' | 'formato'>): string =>
  `anexo-${id}${ownValue(formats, formato ?? '')?.endings[0] ?? ''}`

const SEND = 'Envie uma imagem PNG, JPEG ou WebP, ou um PDF.'

/**
 * Returns the first 16 bytes, one character each, enough for every `begins`; undefined when the
 * file cannot be read (moved, or in a cloud folder that is offline).
 */
const startOf = (file: File): Promise<string | undefined> =>
  file
    .slice(0, 16)
    .arrayBuffer()
    .then(
      (bytes) => String.fromCharCode(...new Uint8Array(bytes)),
      () => undefined,
    )

const formatOf = ({ type, name }: Pick<File, 'type' | 'name'>) => {
  if (type !== '') return ownValue(formats, type.toLowerCase())
  // Some systems provide no MIME type: fall back to the extension.
  const ending = /\.[^.]+$/.exec(name.toLowerCase())?.[0] ?? ''
  return Object.values(formats).find(({ endings }) => endings.includes(ending))
}
