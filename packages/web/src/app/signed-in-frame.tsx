import { isBlocking } from '@bi-manager/contract'
import { useSession } from '../lib/session.ts'
import { AloneFrame } from './alone-frame.tsx'
import { Shell } from './shell/shell.tsx'

/** The shell, or a quiet frame while the server refuses all that the shell would load (the guard leads to the one page left). */
export const SignedInFrame = () => (isBlocking(useSession()?.pendencia) ? <AloneFrame /> : <Shell />)
