import { oidcApi, type User } from '@bi-manager/contract'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { useSession } from '../../lib/session/session.ts'
import { fullTime } from '../../lib/text/relative-time.ts'
import { ConfirmDelete } from '../../ui/confirm-delete.tsx'
import shared from '../../ui/shared.module.css'
import classes from './users.module.css'

/** A section below the form of a user whose account is linked to the identity provider. */
export const ProviderSection = ({ user, onUnlinked }: { user: User; onUnlinked: () => void }) => {
  const session = useSession()
  const [isAsked, setAsked] = useState(false)
  const [isGone, setGone] = useState(false)
  if (user.provedorDesde === null) return null
  const isOwn = user.idUsuario === session?.usuario_id
  const since = `Conta ligada desde ${fullTime(user.provedorDesde)}.`
  return (
    <section className={classes.permissions} aria-labelledby="provedor">
      <div>
        <h2 id="provedor" className={shared.subheading}>
          Provedor de identidade
        </h2>
        <p className={shared.underHeading}>
          {isGone
            ? 'Conta desligada do provedor.'
            : isOwn
              ? `${since} A sua, só outro administrador desliga.`
              : `${since} Desligue-a se a identidade da pessoa no provedor mudou.`}
        </p>
      </div>
      {!isOwn && !isGone && (
        <Button variant="default" onClick={() => setAsked(true)}>
          Desligar do provedor
        </Button>
      )}
      <ConfirmDelete
        target={isAsked ? user : undefined}
        onClose={() => setAsked(false)}
        question="Desligar a conta desta pessoa do provedor?"
        done="Conta desligada!"
        confirm="Sim, desligar"
        failed="Não foi possível desligar"
        nameOf={({ nomeUsuario, emailUsuario }) => `${nomeUsuario} (${emailUsuario})`}
        consequence="As sessões abertas terminam na hora. Quem entrar pelo provedor com este e-mail confirmado fica ligado à conta de novo: para impedir, bloqueie-a ou troque o e-mail."
        remove={({ idUsuario: id }) => call(oidcApi.unlink, { params: { id } })}
        onDeleted={() => {
          setGone(true)
          onUnlinked()
        }}
      />
    </section>
  )
}
