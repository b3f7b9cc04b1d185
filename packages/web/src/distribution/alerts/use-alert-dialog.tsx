import { IconBellPlus } from '@tabler/icons-react'
import { useEffect, useEffectEvent } from 'react'
import {
  type ChosenVisual,
  PanelDialog,
  type ToolbarAction,
  usePanelDialog,
  type ViewedReport,
} from '../../reports/index.ts'

const load = () => import('./alert-panel.tsx')
// Errors are ignored: opening the dialog fetches the chunk again and shows the error.
const preload = () => void load().catch(() => undefined)

const texts = {
  loading: 'Carregando os alertas',
  failed: 'Os alertas não puderam ser baixados. Verifique sua conexão.',
}

type WithDialog = Pick<ViewedReport, 'capture'> & {
  status: Pick<ViewedReport['status'], 'idRelatorio' | 'visualToWatch'>
}

/** The toolbar's 'Criar alerta', which a visual's menu opens as well, and its dialog. */
export const useAlertDialog = (key: string, report: WithDialog, isLoaded: boolean) => {
  const { idRelatorio, visualToWatch } = report.status
  // What was typed stays while the report loads again, as when the device is turned.
  const dialog = usePanelDialog<{ idRelatorio: number; visual: ChosenVisual | undefined }>(key)
  const open = (visual?: ChosenVisual) => idRelatorio !== undefined && dialog.open({ idRelatorio, visual })
  const watch = useEffectEvent(open)
  useEffect(() => {
    if (visualToWatch) watch(visualToWatch)
  }, [visualToWatch])
  const action: ToolbarAction = {
    name: 'Criar alerta',
    icon: IconBellPlus,
    isDisabled: !isLoaded || idRelatorio === undefined,
    opensDialog: true,
    run: () => void open(),
    onNear: preload,
  }
  const { panel, isOpen, close } = dialog
  return {
    action,
    dialog: (
      <PanelDialog
        key={`alerts of ${key}`}
        name="Criar alerta"
        title="Alertas"
        panel={panel && { report, ...panel, close }}
        texts={texts}
        load={load}
        isOpen={isOpen}
        close={close}
      />
    ),
  }
}
