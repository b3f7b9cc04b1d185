import { ActionIcon, Slider } from '@mantine/core'
import { IconZoomIn, IconZoomOut, IconZoomReset } from '@tabler/icons-react'
import classes from './attachment-viewer.module.css'
import type { Zoom } from './use-zoom.ts'
import { FIT, ZOOM_STEP } from './zoom.ts'

/** The zoom slider (0 to 100), its percentage and buttons. */
export const ZoomControls = ({ zoom: { zoom, zoomTo, reset } }: { zoom: Zoom }) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
  <div role="group" aria-label="Zoom" className={classes.zoom}>
    <ActionIcon
      variant="default"
      size="lg"
      aria-label="Diminuir"
      aria-keyshortcuts="-"
      disabled={zoom === 0}
      onClick={() => zoomTo(zoom - ZOOM_STEP)}
    >
      <IconZoomOut size={20} stroke={1.7} aria-hidden />
    </ActionIcon>
    <Slider
      className={classes.slider}
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
    <ActionIcon
      variant="default"
      size="lg"
      aria-label="Aumentar"
      aria-keyshortcuts="+"
      disabled={zoom === 100}
      onClick={() => zoomTo(zoom + ZOOM_STEP)}
    >
      <IconZoomIn size={20} stroke={1.7} aria-hidden />
    </ActionIcon>
    <output className={classes.percent}>{zoom}%</output>
    <ActionIcon
      variant="default"
      size="lg"
      aria-label="Ajustar ao quadro"
      aria-keyshortcuts="0"
      disabled={zoom === FIT}
      onClick={reset}
    >
      <IconZoomReset size={20} stroke={1.7} aria-hidden />
    </ActionIcon>
  </div>
)
