import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useRouteError } from 'react-router'
import { learnVersion, useHasNewVersion } from '../../lib/api/new-version.ts'
import { HOME } from '../../lib/navigation/destination.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { BrokenPage } from '../../ui/errors/broken-page.tsx'
import { PageMessage } from '../../ui/page/page-message.tsx'

/** Shown inside the frame when a page failed, such as one whose code a new version has replaced. */
export const PageError = () => {
  const error = useRouteError()
  const hasNewVersion = useHasNewVersion()
  useEffect(() => {
    void learnVersion()
  }, [])
  const home = <ActionButton label="Ir para o início" to={HOME} />
  if (!hasNewVersion) return <BrokenPage error={error}>{home}</BrokenPage>
  return (
    <PageMessage
      icon={IconRefresh}
      heading="Há uma nova versão do portal"
      actions={
        <>
          <Button onClick={() => window.location.reload()}>Atualizar</Button>
          {home}
        </>
      }
    >
      Esta página é da nova versão. Atualize para abri-la.
    </PageMessage>
  )
}

/** The same without the frame. */
export const FrameError = () => (
  <main>
    <PageError />
  </main>
)
