import type { ProfileMember } from '@bi-manager/contract'
import { CloseButton } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import classes from './profiles.module.css'

interface JoiningMembersProps {
  members: ProfileMember[]
  onRemove: (member: ProfileMember) => void
}

/** Users marked to join, who appear in the member list only after saving. */
export const JoiningMembers = ({ members, onRemove }: JoiningMembersProps) =>
  members.length > 0 && (
    <div className={classes.joining}>
      <h3 className={classes.joiningHeading}>
        <IconUserPlus size={18} stroke={1.8} aria-hidden />
        Entram ao salvar
      </h3>
      <ul className={classes.people}>
        {members.map((member) => (
          <li key={member.idUsuario} className={classes.person}>
            <span className={classes.personText}>
              {member.nomeUsuario}
              <span className={classes.email}>{member.emailUsuario}</span>
            </span>
            <CloseButton
              size="md"
              aria-label={`Não acrescentar ${member.nomeUsuario}`}
              onClick={() => onRemove(member)}
            />
          </li>
        ))}
      </ul>
    </div>
  )
