import shared from '../../ui/shared.module.css'

const list = new Intl.ListFormat('pt-BR')

/**
 * Says until when the service keeps what was sent, as the manual does.
 * @param replaced names of the person's older files, which it deleted for a new one
 */
export const DraftsNote = ({ replaced }: { replaced: string[] }) => (
  <>
    <p className={shared.note}>
      O que você envia e não publica é apagado quando você deixa a página, ou depois de um dia.
    </p>
    <p role="status" className={`${shared.note} ${shared.breakable}`}>
      {replaced.length > 0 &&
        `Você tinha muitos envios à espera, e ${
          replaced.length === 1 ? 'o mais antigo foi apagado' : 'os mais antigos foram apagados'
        } para dar lugar: ${list.format(replaced)}.`}
    </p>
  </>
)
