import { Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import classes from './attachment-viewer.module.css'
import type { PdfFile } from './pdf-reader.ts'
import { fitScale, type Size } from './zoom.ts'

interface PdfPageProps {
  pdf: PdfFile
  page: number
  /** CSS pixels that the page is fitted into. */
  within: Size
  /** The accessible name of the canvas. */
  label: string
}

/** Debounces redraws on resize; until then the existing drawing is stretched. */
const SETTLED_MS = 120

/** Draws a page of a PDF on a canvas. */
export const PdfPage = ({ pdf, page, within, label }: PdfPageProps) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [drawn, setDrawn] = useState<{ pdf: PdfFile; page: number }>()
  const [isFaulty, setFaulty] = useState(false)
  const isShown = drawn?.pdf === pdf && drawn.page === page
  const { width, height } = within

  // biome-ignore lint/correctness/useExhaustiveDependencies: `isShown` only sets the delay
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
        <Text role="alert" m="md" fz="sm" ta="center">
          Não foi possível mostrar esta página. Baixe o arquivo para vê-lo.
        </Text>
      )}
    </>
  )
}
