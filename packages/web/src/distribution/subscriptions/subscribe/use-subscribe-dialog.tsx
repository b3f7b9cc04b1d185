import { IconMailForward } from '@tabler/icons-react'
import { usePanelDialog, type ViewedReport } from '../../../reports/index.ts'

const tool = {
  name: 'Assinar',
  title: 'Receber por e-mail',
  icon: IconMailForward,
  texts: {
    loading: 'Carregando as assinaturas',
    failed: 'As assinaturas não puderam ser baixadas. Verifique sua conexão.',
  },
  load: () => import('./subscribe-panel.tsx'),
}

type WithDialog = Pick<ViewedReport, 'capture' | 'pageTitle' | 'pageVisuals'> & {
  status: Pick<ViewedReport['status'], 'idRelatorio' | 'nomeRelatorio' | 'paginated'>
}

/** The toolbar's 'Assinar', and its dialog. */
export const useSubscribeDialog = (key: string, report: WithDialog, isLoaded: boolean) => {
  const { idRelatorio, nomeRelatorio = '', paginated } = report.status
  const { action, dialog } = usePanelDialog(tool, {
    // What was typed stays while the report loads again, as when the device is turned.
    key,
    opening: isLoaded && idRelatorio !== undefined ? { idRelatorio, nomeRelatorio, paginated } : undefined,
    panelOf: (opened, close) => ({ report, ...opened, close }),
  })
  return { action, dialog }
}
