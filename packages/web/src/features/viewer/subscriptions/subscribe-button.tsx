import { IconMailForward } from '@tabler/icons-react'
import { type ComponentProps, useState } from 'react'
import type { ViewedReport } from '../opening/use-report.ts'
import { PanelButton } from '../toolbar/panel-button.tsx'
import type SubscribePanel from './subscribe-panel.tsx'

const load = () => import('./subscribe-panel.tsx')

const texts = {
  loading: 'Carregando as assinaturas',
  failed: 'As assinaturas não puderam ser baixadas. Verifique sua conexão.',
}

interface SubscribeButtonProps {
  report: Pick<ViewedReport, 'capture' | 'pageTitle'>
  /** Undefined until the report is open. */
  idRelatorio: number | undefined
  nomeRelatorio: string
  /** The state of a paginated report. */
  paginated?: ViewedReport['status']['paginated']
  isLoaded: boolean
}

type Subscribed = Omit<ComponentProps<typeof SubscribePanel>, 'report' | 'close'>

/** The toolbar's 'Assinar'. */
export const SubscribeButton = (props: SubscribeButtonProps) => {
  const { report, idRelatorio, nomeRelatorio, paginated, isLoaded } = props
  const [isOpen, setOpen] = useState(false)
  // What was typed stays while the report loads again, as when the device is turned.
  const [subscribed, setSubscribed] = useState<Subscribed>()
  const toggle = (opens: boolean) => {
    if (opens && idRelatorio !== undefined) setSubscribed({ idRelatorio, nomeRelatorio, paginated })
    setOpen(opens)
  }
  return (
    <PanelButton
      label="Assinar"
      icon={IconMailForward}
      title="Receber por e-mail"
      {...{ texts, load, isOpen }}
      isReady={isLoaded && idRelatorio !== undefined}
      panel={subscribed && { report, ...subscribed, close: () => toggle(false) }}
      onToggle={toggle}
    />
  )
}
