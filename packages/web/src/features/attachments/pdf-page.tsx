import { useEffect, useRef, useState } from 'react'
import classes from './attachment-viewer.module.css'
import type { PdfFile } from './pdf-reader.ts'
import { fitScale, type Size } from './zoom.ts'

interface PdfPageProps {
  pdf: PdfFile
  page: number
  /** CSS pixels; the page is as large as it can be within them. */
  within: Size
  /** What a screen reader says of the picture. */
  label: string
}

/** How long a size must stand before the page is drawn anew at it; until then the drawing before is stretched. */
const SETTLED_MS = 120

/** One page of a PDF, drawn on a canvas. */
export const PdfPage = ({ pdf, page, within, label }: PdfPageProps) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [drawn, setDrawn] = useState<{ pdf: PdfFile; page: number }>()
  const [isFaulty, setFaulty] = useState(false)
  const isShown = drawn?.pdf === pdf && drawn.page === page
  const { width, height } = within

  // biome-ignore lint/correctness/useExhaustiveDependencies: `isShown` only says whether there is a drawing to stretch meanwhile
  useEffect(() => {
    const end = new AbortController()
    const draw = async () => {
      const size = await pdf.sizeOf(page)
      const picture = await pdf.draw(page, fitScale({ width, height }, size), end.signal)
      if (!canvas.current) return
      canvas.current.width = picture.width
      canvas.current.height = picture.height
      canvas.current.getContext('2d')?.drawImage(picture, 0, 0)
      setDrawn({ pdf, page })
      setFaulty(false)
    }
    const timer = setTimeout(
      () => draw().catch(() => !end.signal.aborted && setFaulty(true)),
      isShown ? SETTLED_MS : 0,
    )
    return () => {
      clearTimeout(timer)
      end.abort()
    }
  }, [pdf, page, width, height])

  return (
    <>
      <canvas
        ref={canvas}
        role="img"
        aria-label={label}
        className={classes.page}
        data-drawn={isShown || undefined}
      />
      {isFaulty && (
        <p role="alert" className={classes.pageFault}>
          Não foi possível mostrar esta página. Baixe o arquivo para vê-lo.
        </p>
      )}
    </>
  )
}
