import type { Attachment } from '@bi-manager/contract'
import { ActionIcon, Skeleton, Slider } from '@mantine/core'
import { type Icon, IconFileOff, IconZoomIn, IconZoomOut, IconZoomReset } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, type SyntheticEvent, useEffect, useState } from 'react'
import { useObjectUrl } from '../../lib/browser/use-object-url.ts'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { InlineMessage } from '../../ui/inline-message.tsx'
import { PageSteps } from '../../ui/page-steps.tsx'
import shared from '../../ui/shared.module.css'
import classes from './attachment-viewer.module.css'
import { fileQuery } from './attachments-queries.ts'
import { PdfPage } from './pdf-page.tsx'
import type { PdfFile } from './pdf-reader.ts'
import { usePdf } from './use-pdf.ts'
import { useZoom, type Zoom } from './use-zoom.ts'
import { FIT, type Size, ZOOM_STEP } from './zoom.ts'
import { ZoomFrame } from './zoom-frame.tsx'

/** Shows an attachment's file inside the page; it never gets a URL in a tab. */
export const AttachmentViewer = ({
  attachment: { id, titulo_anexo, formato },
}: {
  attachment: Attachment
}) => {
  const { data, error, isFetching, refetch } = useQuery(fileQuery(id))
  if (data === undefined && error)
    return <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
  if (!data) return <Waiting />
  return formato === 'application/pdf' ? (
    <Pdf content={data} title={titulo_anexo} />
  ) : (
    <Picture content={data} title={titulo_anexo} />
  )
}

const Picture = ({ content, title }: { content: Blob; title: string }) => {
  const url = useObjectUrl(content)
  const [size, setSize] = useState<Size>()
  const [isBroken, setBroken] = useState(false)
  // At FIT, a small picture is not enlarged.
  const zoom = useZoom(size, 1)
  const handleLoad = ({ currentTarget }: SyntheticEvent<HTMLImageElement>) =>
    setSize({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight })
  if (isBroken) return <Unreadable />
  return (
    <div className={`${shared.stackSm} ${classes.viewer}`}>
      <ZoomFrame zoom={zoom} label="Imagem do anexo">
        {url && (
          <img
            src={url}
            alt={title}
            className={classes.picture}
            draggable={false}
            onLoad={handleLoad}
            onError={() => setBroken(true)}
          />
        )}
      </ZoomFrame>
      <ZoomControls zoom={zoom} />
    </div>
  )
}

const Pdf = ({ content, title }: { content: Blob; title: string }) => {
  const { pdf, error } = usePdf(content)
  if (error) return <Unreadable />
  return pdf ? <PdfPages pdf={pdf} title={title} /> : <Waiting />
}

const PdfPages = ({ pdf, title }: { pdf: PdfFile; title: string }) => {
  const [page, setPage] = useState(1)
  const size = usePageSize(pdf, page)
  const zoom = useZoom(size)
  const { frame, shown } = zoom
  const turnTo = (next: number) => {
    setPage(next)
    frame?.scrollTo(0, 0)
  }
  return (
    <div className={`${shared.stackSm} ${classes.viewer}`}>
      <ZoomFrame zoom={zoom} label="PDF do anexo">
        {shown && (
          <PdfPage pdf={pdf} page={page} within={shown} label={`${title}, página ${page} de ${pdf.pages}`} />
        )}
      </ZoomFrame>
      <ZoomControls zoom={zoom} />
      <nav aria-label="Páginas do PDF" className={shared.spread}>
        <PageSteps
          page={page}
          canGoBack={page > 1}
          canGoOn={page < pdf.pages}
          goTo={turnTo}
          next="Próxima"
          names={{ back: 'Página anterior', on: 'Próxima página' }}
        >
          <span role="status" className={`${shared.note} ${classes.pageNumber}`}>
            Página {page} de {pdf.pages}
          </span>
        </PageSteps>
      </nav>
    </div>
  )
}

/** Returns the size of a page; while it is being read, that of the previous page. */
const usePageSize = (pdf: PdfFile, page: number): Size | undefined => {
  const [size, setSize] = useState<Size>()
  useEffect(() => {
    let isWanted = true
    // An unreadable page gets a default size; drawing it shows the error.
    const keep = (read: Size) => isWanted && setSize(read)
    pdf.sizeOf(page).then(keep, () => keep(A4))
    return () => {
      isWanted = false
    }
  }, [pdf, page])
  return size
}

/** A sheet in PDF points. */
const A4 = { width: 595, height: 842 }

const Waiting = () => (
  <div role="status" aria-label="Carregando o arquivo" className={`${shared.stackSm} ${classes.viewer}`}>
    <Skeleton className={classes.waiting} />
  </div>
)

const Unreadable = () => (
  <InlineMessage alert icon={IconFileOff}>
    Não foi possível mostrar este arquivo aqui. Baixe-o para vê-lo.
  </InlineMessage>
)

/** The zoom slider (0 to 100), its percentage and buttons. */
const ZoomControls = ({ zoom: { zoom, zoomTo, reset } }: { zoom: Zoom }) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
  <div role="group" aria-label="Zoom" className={shared.row}>
    <ZoomButton
      icon={IconZoomOut}
      aria-label="Diminuir"
      aria-keyshortcuts="-"
      disabled={zoom === 0}
      onClick={() => zoomTo(zoom - ZOOM_STEP)}
    />
    <Slider
      flex={1}
      miw="5rem"
      min={0}
      max={100}
      step={1}
      value={zoom}
      onChange={(next) => zoomTo(next)}
      label={null}
      thumbLabel="Zoom"
      thumbSize={24}
      thumbProps={{ 'aria-valuetext': `${zoom}%` }}
    />
    <ZoomButton
      icon={IconZoomIn}
      aria-label="Aumentar"
      aria-keyshortcuts="+"
      disabled={zoom === 100}
      onClick={() => zoomTo(zoom + ZOOM_STEP)}
    />
    <output className={classes.percent}>{zoom}%</output>
    <ZoomButton
      icon={IconZoomReset}
      aria-label="Ajustar ao quadro"
      aria-keyshortcuts="0"
      disabled={zoom === FIT}
      onClick={reset}
    />
  </div>
)

const ZoomButton = ({
  icon: IconOf,
  ...button
}: { icon: Icon } & ComponentProps<typeof ActionIcon<'button'>>) => (
  <ActionIcon variant="default" size="lg" {...button}>
    <IconOf size={20} stroke={1.7} aria-hidden />
  </ActionIcon>
)
