import { ActionIcon, Button, Modal, Tooltip } from '@mantine/core'
import { IconMailForward } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { ErrorAlert } from '../../../ui/error-alert.tsx'
import { useIsPhone } from '../../../ui/folded-tools.tsx'
import { SkeletonLines } from '../../../ui/skeleton-lines.tsx'
import type { ViewedReport } from '../opening/use-report.ts'
import classes from '../toolbar/viewer-toolbar.module.css'
import type SubscribePanel from './subscribe-panel.tsx'

const importPanel = () => import('./subscribe-panel.tsx')

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

/** The toolbar's 'Assinar'; the dialog's code is fetched on hover or focus. */
export const SubscribeButton = (props: SubscribeButtonProps) => {
  const { report, idRelatorio, nomeRelatorio, paginated, isLoaded } = props
  const [isOpen, setOpen] = useState(false)
  // What was typed stays while the report loads again, as when the device is turned.
  const [subscribed, setSubscribed] = useState<Subscribed>()
  const isPhone = useIsPhone()
  // Errors are ignored: opening the dialog fetches the chunk again and shows the error.
  const preload = () => void importPanel().catch(() => undefined)
  const close = () => setOpen(false)
  return (
    <>
      <Tooltip label="Assinar" openDelay={400} disabled={isOpen}>
        <ActionIcon
          size="lg"
          className={classes.icon}
          aria-label="Assinar"
          aria-haspopup="dialog"
          disabled={!isLoaded || idRelatorio === undefined}
          onPointerEnter={preload}
          onFocus={preload}
          onClick={() => {
            if (idRelatorio !== undefined) setSubscribed({ idRelatorio, nomeRelatorio, paginated })
            setOpen(true)
          }}
        >
          <IconMailForward size={20} stroke={1.7} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Modal
        opened={isOpen}
        onClose={close}
        title="Receber por e-mail"
        size="40rem"
        centered
        fullScreen={isPhone}
        // A click beside the dialog would lose what was typed.
        closeOnClickOutside={false}
        closeButtonProps={{ 'aria-label': 'Fechar' }}
      >
        {subscribed && <LoadedPanel {...{ report, ...subscribed }} close={close} />}
      </Modal>
    </>
  )
}

/** A failed download, as while offline, is shown in the dialog: the open report stays. */
const LoadedPanel = (props: ComponentProps<typeof SubscribePanel>) => {
  const { data, error, refetch } = useQuery({
    queryKey: ['codigo', 'assinar'],
    queryFn: importPanel,
    staleTime: Number.POSITIVE_INFINITY,
    networkMode: 'always',
    retry: false,
  })
  if (data) return <data.default {...props} />
  if (!error) return <SkeletonLines label="Carregando as assinaturas" />
  return (
    <>
      <ErrorAlert error="As assinaturas não puderam ser baixadas. Verifique sua conexão." />
      <Button variant="default" mt="sm" onClick={() => void refetch()}>
        Tentar novamente
      </Button>
    </>
  )
}
