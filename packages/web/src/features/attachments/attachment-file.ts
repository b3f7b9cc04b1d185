import { ATTACHMENT_BYTES, type Attachment, type AttachmentType } from '@bi-manager/contract'

/** What may be sent, with the type of attachment that it makes. The server judges the bytes; this is told before. */
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
  /** Whether the first bytes, one letter a byte, are those of this format. */
  begins: (start: string) => boolean
}

/** Of the file field. */
export const ACCEPTED = Object.fromEntries(
  Object.entries(formats).map(([mime, { endings }]) => [mime, endings]),
)
/** Of the phone's camera: it takes no PDF. */
export const ACCEPTED_PHOTOS = Object.keys(formats)
  .filter((mime) => formats[mime]?.type === 'IMG')
  .join(',')

export const FILE_HINT = 'PNG, JPEG, WebP ou PDF, até 10 MB'

/** IMG or PDF, by what the browser takes the file for; undefined for what cannot be sent. */
export const typeOfFile = (file: Pick<File, 'type' | 'name'>): AttachmentType | undefined =>
  formatOf(file)?.type

/** Why a file cannot be sent, as far as its name, size and first bytes tell; undefined where it can. The server judges the rest. */
export const fileFault = async (file: File): Promise<string | undefined> => {
  const format = formatOf(file)
  if (!format) return SEND
  if (file.size === 0) return 'O arquivo está vazio.'
  if (file.size > ATTACHMENT_BYTES) {
    const [size, limit] = [sizeText(file.size), sizeText(ATTACHMENT_BYTES)]
    return size === limit
      ? `O arquivo tem mais de ${limit}, que é o limite.`
      : `O arquivo tem ${size}; o limite é ${limit}.`
  }
  const start = await startOf(file)
  if (start === undefined) return 'O navegador não conseguiu ler o arquivo. Escolha-o de novo.'
  const actual = Object.values(formats).find(({ begins }) => begins(start))
  // A PNG called .jpg is drawn anew by the server, as every image is.
  if (actual?.type === format.type) return undefined
  return actual
    ? `O conteúdo é ${actual.name}, mas o arquivo se apresenta como ${format.name}. Corrija a extensão do nome.`
    : `O conteúdo não é ${format.name}, embora o nome diga que é. ${SEND}`
}

/** 'PDF · 2,3 MB' */
export const fileText = (file: Pick<File, 'type' | 'name' | 'size'>): string =>
  [formatOf(file)?.name, sizeText(file.size)].filter(Boolean).join(' · ')

/** 'PDF · 2,3 MB' of what the server keeps; undefined where there is no file. */
export const keptFileText = ({
  formato,
  tamanho_bytes,
}: Pick<Attachment, 'formato' | 'tamanho_bytes'>): string | undefined =>
  formato === null
    ? undefined
    : [formats[formato]?.name ?? formato, tamanho_bytes !== null && sizeText(tamanho_bytes)]
        .filter(Boolean)
        .join(' · ')

/** Says nothing about the person: the downloads folder is nobody's safe. */
export const downloadName = ({ id, formato }: Pick<Attachment, 'id' | 'formato'>): string =>
  `anexo-${id}${formats[formato ?? '']?.endings[0] ?? ''}`

/** '820 bytes', '3,4 KB', '10 MB': units of 1024, as the limit is. */
export const sizeText = (bytes: number): string => {
  if (bytes < 1024) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`
  const [size, unit] = bytes < 1024 * 1024 ? [bytes / 1024, 'KB'] : [bytes / 1024 / 1024, 'MB']
  return `${number.format(size)} ${unit}`
}

const number = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 })

const SEND = 'Envie uma imagem PNG, JPEG ou WebP, ou um PDF.'

/** Long enough for every `begins`; one letter a byte. Undefined: the file cannot be read (it was moved, or is in a cloud out of reach). */
const startOf = (file: File): Promise<string | undefined> =>
  file
    .slice(0, 16)
    .arrayBuffer()
    .then(
      (bytes) => String.fromCharCode(...new Uint8Array(bytes)),
      () => undefined,
    )

const formatOf = ({ type, name }: Pick<File, 'type' | 'name'>) => {
  if (type !== '') return formats[type.toLowerCase()]
  // Some systems know no type for a file that they know by its ending.
  const ending = /\.[^.]+$/.exec(name.toLowerCase())?.[0] ?? ''
  return Object.values(formats).find(({ endings }) => endings.includes(ending))
}
