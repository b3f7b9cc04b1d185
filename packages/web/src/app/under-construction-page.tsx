import { Button } from '@mantine/core'
import { IconBarrierBlock } from '@tabler/icons-react'
import { Link } from 'react-router'
import { HOME } from '../lib/navigation/destination.ts'
import { useSession } from '../lib/session/session.ts'
import { PageMessage } from '../ui/page/page-message.tsx'
import { usePageHandle } from './layouts/page-handle.ts'

/** Placeholder for a route whose page does not exist yet. */
export const UnderConstructionPage = () => {
  const handle = usePageHandle()
  const signedIn = useSession() !== undefined
  return (
    <PageMessage
      icon={IconBarrierBlock}
      heading={handle?.title ?? 'BI Manager'}
      actions={
        <Button component={Link} to={signedIn ? HOME : '/'}>
          {signedIn ? 'Voltar ao início' : 'Voltar para a entrada'}
        </Button>
      }
    >
      Esta página está em construção.
    </PageMessage>
  )
}
