import { IconMailForward } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import { PanelDialog, type ToolbarAction, usePanelDialog, type ViewedReport } from '../../../reports/index.ts'
import type SubscribePanel from './subscribe-panel.tsx'

const load = () => import('./subscribe-panel.tsx')
// Errors are ignored: opening the dialog fetches the chunk again and shows the error.
const preload = () => void load().catch(() => undefined)

const texts = {
  loading: 'Carregando as assinaturas',
  failed: 'As assinaturas não puderam ser baixadas. Verifique sua conexão.',
}

type Subscribed = Omit<ComponentProps<typeof SubscribePanel>, 'report' | 'close'>

type WithDialog = Pick<ViewedReport, 'capture' | 'pageTitle' | 'pageVisuals'> & {
  status: Pick<ViewedReport['status'], 'idRelatorio' | 'nomeRelatorio' | 'paginated'>
}

/** The toolbar's 'Assinar', and its dialog. */
export const useSubscribeDialog = (key: string, report: WithDialog, isLoaded: boolean) => {
  const { idRelatorio, nomeRelatorio = '', paginated } = report.status
  // What was typed stays while the report loads again, as when the device is turned.
  const { panel, isOpen, open, close } = usePanelDialog<Subscribed>(key)
  const action: ToolbarAction = {
    name: 'Assinar',
    icon: IconMailForward,
    isDisabled: !isLoaded || idRelatorio === undefined,
    opensDialog: true,
    run: () => idRelatorio !== undefined && open({ idRelatorio, nomeRelatorio, paginated }),
    onNear: preload,
  }
  return {
    action,
    dialog: (
      <PanelDialog
        key={`subscriptions of ${key}`}
        name="Assinar"
        title="Receber por e-mail"
        panel={panel && { report, ...panel, close }}
        texts={texts}
        load={load}
        isOpen={isOpen}
        close={close}
      />
    ),
  }
}
