import type { MemberCandidate } from '@bi-manager/contract'
import { Group } from '@mantine/core'
import { statusNames } from '../../lib/text/status-names.ts'
import shared from '../../ui/shared.module.css'

/** Name and e-mail of a user, with the state of an account that cannot sign in. */
export const CandidateName = ({ person }: { person: MemberCandidate }) => (
  <>
    <Group component="span" gap="0.125rem 0.5rem">
      {person.nomeUsuario}
      {person.situacao !== 'ATIVO' && (
        <span className={`${shared.mark} ${shared.attention}`}>{statusNames[person.situacao]}</span>
      )}
    </Group>
    <span className={shared.detail}>{person.emailUsuario}</span>
  </>
)
