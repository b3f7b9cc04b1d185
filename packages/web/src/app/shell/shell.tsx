import { useMediaQuery } from '@mantine/hooks'
import { useRef, useState } from 'react'
import { Outlet } from 'react-router'
import './mantine.css'
import { SessionEndingDialog } from '../../features/sessions/session-ending-dialog.tsx'
import { SignOutDialog } from '../../features/sessions/sign-out-dialog.tsx'
import { useLiveAccess } from '../live-access.ts'
import { PhoneMenu } from './phone-menu.tsx'
import classes from './shell.module.css'
import { SideMenu } from './side-menu.tsx'
import { TopBar } from './top-bar.tsx'
import { useMenuState } from './use-menu-state.ts'

/** The frame of every page behind the sign-in. */
export const Shell = () => {
  useLiveAccess()
  const phone = useMediaQuery('(max-width: 63.99em)', undefined, { getInitialValueInEffect: false })
  const menu = useMenuState(phone)
  const account = useRef<HTMLButtonElement>(null)
  const [signingOut, setSigningOut] = useState(false)

  return (
    <div className={classes.shell}>
      <a href="#conteudo" className={classes.skip}>
        Pular para o conteúdo
      </a>
      <TopBar
        account={account}
        menuOpened={menu.opened}
        onToggleMenu={menu.toggle}
        onSignOut={() => setSigningOut(true)}
      />
      <div className={classes.body}>
        {phone ? <PhoneMenu opened={menu.opened} onClose={menu.close} /> : <SideMenu opened={menu.opened} />}
        <main id="conteudo" tabIndex={-1} className={classes.main}>
          <Outlet />
        </main>
      </div>
      <SignOutDialog
        opened={signingOut}
        onClose={() => setSigningOut(false)}
        onClosed={() => account.current?.focus()}
      />
      <SessionEndingDialog />
    </div>
  )
}
