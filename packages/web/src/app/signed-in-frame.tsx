import { isBlocking } from '@bi-manager/contract'
import { useSession } from '../lib/session.ts'
import { PendingFrame } from './alone-frame.tsx'
import { Shell } from './shell/shell.tsx'

/** The shell, or a minimal frame while a pending step blocks the shell's requests. */
export const SignedInFrame = () => (isBlocking(useSession()?.pendencia) ? <PendingFrame /> : <Shell />)
