import { Stack } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useRef, useState } from 'react'
import { Outlet } from 'react-router'
import { SessionEndingDialog, SignOutDialog } from '../../accounts/index.ts'
import { LazyPanel, PanelButton, useClinicalPanel } from '../../clinical/index.ts'
import { AnnouncementBanners } from '../../distribution/index.ts'
import { EnvironmentNotice } from '../../operations/index.ts'
import './mantine.css'
import { useSession } from '../../lib/session/session.ts'
import { useReportOnPage } from '../../reports/index.ts'
import { focusPageHeading } from '../../ui/page-focus.ts'
import shared from '../../ui/shared.module.css'
import { useLiveAccess } from './live-access.ts'
import { PhoneMenu } from './phone-menu.tsx'
import classes from './shell.module.css'
import { SideMenu } from './side-menu.tsx'
import { TopBar } from './top-bar.tsx'
import { useMenuState } from './use-menu-state.ts'
import { useReportPrefetch } from './use-report-prefetch.ts'

/** The frame of every page after sign-in. */
export const Shell = () => {
  useLiveAccess()
  useReportPrefetch()
  const tipo = useSession()?.tipo
  const phone = useMediaQuery('(max-width: 63.99em)', undefined, { getInitialValueInEffect: false })
  const panel = useClinicalPanel()
  const isPanelOpen = panel.view === 'open'
  const panelButton = useRef<HTMLButtonElement>(null)
  const isNarrow = useMediaQuery('(max-width: 79.99em)', undefined, { getInitialValueInEffect: false })
  const fitsPanel = useMediaQuery('(min-width: 100em)', undefined, { getInitialValueInEffect: false })
  // A report needs the width, and so does the panel that is opened beside it.
  const isBesideReport = useReportOnPage()
  const isCrowded = (isBesideReport && isNarrow) || (isPanelOpen && !fitsPanel)
  const menu = useMenuState(phone, isCrowded)
  const accountButton = useRef<HTMLButtonElement>(null)
  // On a phone the open panel is modal.
  const isSheet = phone && isPanelOpen
  const [signingOut, setSigningOut] = useState(false)

  return (
    <div className={classes.shell} data-foot={panel.view === 'minimised' || undefined}>
      <a href="#conteudo" className={`${shared.screenOnly} ${classes.skip}`} inert={isSheet}>
        Pular para o conteúdo
      </a>
      <TopBar
        accountButton={accountButton}
        menuOpened={menu.opened}
        onToggleMenu={menu.toggle}
        onSignOut={() => setSigningOut(true)}
        inert={isSheet}
        pageTools={panel.isOffered && <PanelButton panel={panel} isPhone={phone} ref={panelButton} />}
      />
      <div className={classes.body}>
        {phone ? <PhoneMenu opened={menu.opened} onClose={menu.close} /> : <SideMenu opened={menu.opened} />}
        <Stack component="main" id="conteudo" tabIndex={-1} gap={0} className={shared.fills} inert={isSheet}>
          <AnnouncementBanners />
          {tipo === 'ADMIN' && <EnvironmentNotice />}
          <Outlet />
        </Stack>
        {panel.view !== 'closed' && (
          <LazyPanel
            panel={panel}
            isPhone={phone}
            onClosed={() => (panelButton.current ? panelButton.current.focus() : focusPageHeading())}
          />
        )}
      </div>
      <SignOutDialog
        opened={signingOut}
        onClose={() => setSigningOut(false)}
        onClosed={() => accountButton.current?.focus()}
      />
      <SessionEndingDialog />
    </div>
  )
}
