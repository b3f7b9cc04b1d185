import { useEffect, useState } from 'react'
import type { PdfFile } from './pdf-reader.ts'

interface Reading {
  of: Blob
  pdf?: PdfFile
  error?: unknown
}

/** Opens a PDF; pdf.js (half a megabyte) is loaded with the first one. */
export const usePdf = (content: Blob): Pick<Reading, 'pdf' | 'error'> => {
  const [reading, setReading] = useState<Reading>()
  useEffect(() => {
    const end = new AbortController()
    let opened: PdfFile | undefined
    import('./pdf-reader.ts')
      .then(({ openPdf }) => openPdf(content))
      .then(
        (pdf) => {
          opened = pdf
          if (end.signal.aborted) pdf.close()
          else setReading({ of: content, pdf })
        },
        (error: unknown) => {
          if (!end.signal.aborted) setReading({ of: content, error })
        },
      )
    return () => {
      end.abort()
      opened?.close()
    }
  }, [content])
  return reading?.of === content ? reading : {}
}
