import { ATTACHMENT_BYTES, type Attachment, type AttachmentType } from '@bi-manager/contract'

/** What may be sent, with the type of attachment that it makes. The server judges the bytes; this is told before. */
const formats: Record<string, { type: AttachmentType; name: string; endings: string[] }> = {
  'image/png': { type: 'IMG', name: 'PNG', endings: ['.png'] },
  'image/jpeg': { type: 'IMG', name: 'JPEG', endings: ['.jpg', '.jpeg'] },
  'image/webp': { type: 'IMG', name: 'WebP', endings: ['.webp'] },
  'application/pdf': { type: 'PDF', name: 'PDF', endings: ['.pdf'] },
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

/** Why a file cannot be sent, as far as that shows before its bytes are read; undefined where it can. */
export const fileFault = (file: Pick<File, 'type' | 'name' | 'size'>): string | undefined => {
  if (!formatOf(file)) return 'Envie uma imagem PNG, JPEG ou WebP, ou um PDF.'
  if (file.size === 0) return 'O arquivo está vazio.'
  if (file.size > ATTACHMENT_BYTES) {
    const [size, limit] = [sizeText(file.size), sizeText(ATTACHMENT_BYTES)]
    return size === limit
      ? `O arquivo tem mais de ${limit}, que é o limite.`
      : `O arquivo tem ${size}; o limite é ${limit}.`
  }
  return undefined
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

const formatOf = ({ type, name }: Pick<File, 'type' | 'name'>) => {
  if (type !== '') return formats[type.toLowerCase()]
  // Some systems know no type for a file that they know by its ending.
  const ending = /\.[^.]+$/.exec(name.toLowerCase())?.[0] ?? ''
  return Object.values(formats).find(({ endings }) => endings.includes(ending))
}
