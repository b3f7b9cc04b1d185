import { Loader } from '@mantine/core'
import { IconFileTypePdf, IconPhotoOff } from '@tabler/icons-react'
import { useState } from 'react'
import { useObjectUrl } from '../../lib/browser/use-object-url.ts'
import { typeOfFile } from './attachment-file.ts'
import classes from './file-field.module.css'
import { PdfPage } from './pdf-page.tsx'
import { usePdf } from './use-pdf.ts'

/**
 * A preview of the image or of the PDF's first page. A file without a preview can still be sent.
 */
export const FilePreview = ({ file }: { file: File }) => (
  <div className={classes.preview}>
    {typeOfFile(file) === 'PDF' ? <FirstPage file={file} /> : <Picture key={keyOf(file)} file={file} />}
  </div>
)

const Picture = ({ file }: { file: File }) => {
  const url = useObjectUrl(file)
  const [isBroken, setBroken] = useState(false)
  if (isBroken) return <IconPhotoOff size={28} stroke={1.5} role="img" aria-label="Sem prévia" />
  return url && <img src={url} alt="Prévia da imagem escolhida" onError={() => setBroken(true)} />
}

const FirstPage = ({ file }: { file: File }) => {
  const { pdf, error } = usePdf(file)
  if (error) return <IconFileTypePdf size={28} stroke={1.5} role="img" aria-label="Sem prévia" />
  if (!pdf) return <Loader size="sm" aria-label="Preparando a prévia" />
  return <PdfPage pdf={pdf} page={1} within={THUMBNAIL} label="Prévia da primeira página do PDF" />
}

/** CSS pixels, the size of `.preview`. */
const THUMBNAIL = { width: 88, height: 88 }

const keyOf = ({ name, size, lastModified }: File): string => `${name} ${size} ${lastModified}`
