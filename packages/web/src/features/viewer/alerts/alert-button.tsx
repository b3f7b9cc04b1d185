import { IconBellPlus } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useState } from 'react'
import type { ChosenVisual } from '../frame/visual-commands.ts'
import type { ViewedReport } from '../opening/use-report.ts'
import { PanelButton } from '../toolbar/panel-button.tsx'

const load = () => import('./alert-panel.tsx')

const texts = {
  loading: 'Carregando os alertas',
  failed: 'Os alertas não puderam ser baixados. Verifique sua conexão.',
}

interface AlertButtonProps {
  report: Pick<ViewedReport, 'capture'>
  /** Undefined until the report is open. */
  idRelatorio: number | undefined
  isLoaded: boolean
  /** The visual in whose menu the reader chose 'Criar alerta'. */
  visualToWatch: ChosenVisual | undefined
}

/** The toolbar's 'Criar alerta', which a visual's menu opens as well. */
export const AlertButton = ({ report, idRelatorio, isLoaded, visualToWatch }: AlertButtonProps) => {
  const [isOpen, setOpen] = useState(false)
  // What was typed stays while the report loads again, as when the device is turned.
  const [watched, setWatched] = useState<{ idRelatorio: number; visual: ChosenVisual | undefined }>()
  const toggle = (opens: boolean, visual?: ChosenVisual) => {
    if (opens && idRelatorio !== undefined) setWatched({ idRelatorio, visual })
    setOpen(opens)
  }
  const watch = useEffectEvent((visual: ChosenVisual) => toggle(true, visual))
  useEffect(() => {
    if (visualToWatch) watch(visualToWatch)
  }, [visualToWatch])
  return (
    <PanelButton
      label="Criar alerta"
      icon={IconBellPlus}
      title="Alertas"
      {...{ texts, load, isOpen }}
      isReady={isLoaded && idRelatorio !== undefined}
      panel={watched && { report, ...watched, close: () => toggle(false) }}
      onToggle={(opens) => toggle(opens)}
    />
  )
}
