import { isBlocking } from '@bi-manager/contract'
import { Stack, Text } from '@mantine/core'
import { IconLogout } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Outlet } from 'react-router'
import { SessionEndingDialog, startSignOut } from '../../accounts/index.ts'
import { useSession } from '../../lib/session/session.ts'
import { brandName } from '../../lib/text/brand.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { BrandMark } from '../../ui/brand-mark.tsx'
import { OutsideNetworks } from '../errors/outside-networks.tsx'
import { Shell } from '../shell/shell.tsx'
import classes from './public-frame.module.css'
import { useOutsideNetworks } from './use-outside-networks.ts'
import '../shell/mantine.css'

/**
 * The shell, or a minimal frame while a pending step or the network blocks the shell's requests.
 */
export const SignedInFrame = () => {
  const session = useSession()
  const isPending = isBlocking(session?.pendencia)
  const { isOutside, isChecking, check } = useOutsideNetworks({ enabled: !isPending })
  if (isPending)
    return (
      <PendingFrame>
        <Outlet />
      </PendingFrame>
    )
  if (isOutside)
    return (
      <PendingFrame>
        <OutsideNetworks isChecking={isChecking} onRetry={check} />
      </PendingFrame>
    )
  return <Shell />
}

/** The frame of a page that must be completed before any other: the person's name and sign-out. */
const PendingFrame = ({ children }: { children: ReactNode }) => (
  <Stack gap={0} mih="100dvh">
    <header className={classes.header}>
      <span className={classes.brand}>
        <BrandMark size={28} />
        {brandName}
      </span>
      <Text flex={1} px="sm" c="dimmed" fz="sm" ta="right" truncate className={classes.person}>
        {useSession()?.nome}
      </Text>
      <ActionButton variant="subtle" icon={IconLogout} label="Sair" color="gray" onClick={startSignOut} />
    </header>
    <Stack component="main" id="conteudo" tabIndex={-1} flex={1} gap={0}>
      {children}
    </Stack>
    <SessionEndingDialog />
  </Stack>
)
