import { IconBellPlus } from '@tabler/icons-react'
import { useEffect, useEffectEvent } from 'react'
import { type ChosenVisual, usePanelDialog, type ViewedReport } from '../../reports/index.ts'

const tool = {
  name: 'Criar alerta',
  title: 'Alertas',
  icon: IconBellPlus,
  texts: {
    loading: 'Carregando os alertas',
    failed: 'Os alertas não puderam ser baixados. Verifique sua conexão.',
  },
  load: () => import('./alert-panel.tsx'),
}

type WithDialog = Pick<ViewedReport, 'capture'> & {
  status: Pick<ViewedReport['status'], 'idRelatorio' | 'visualToWatch'>
}

/** The toolbar's 'Criar alerta', which a visual's menu opens as well, and its dialog. */
export const useAlertDialog = (key: string, report: WithDialog, isLoaded: boolean) => {
  const { idRelatorio, visualToWatch } = report.status
  const openingOf = (visual?: ChosenVisual) =>
    idRelatorio === undefined ? undefined : { idRelatorio, visual }
  const { open, ...dialog } = usePanelDialog(tool, {
    // What was typed stays while the report loads again, as when the device is turned.
    key,
    opening: isLoaded ? openingOf() : undefined,
    panelOf: (opened, close) => ({ report, ...opened, close }),
  })
  const watch = useEffectEvent((visual: ChosenVisual) => {
    const opening = openingOf(visual)
    if (opening) open(opening)
  })
  useEffect(() => {
    if (visualToWatch) watch(visualToWatch)
  }, [visualToWatch])
  return dialog
}
