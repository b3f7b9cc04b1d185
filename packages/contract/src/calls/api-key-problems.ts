/** Problems of API keys. */
export const apiKeyProblems = {
  chave_invalida: {
    status: 401,
    title: 'Chave inválida',
    detail: 'Esta chave de API não existe, venceu ou foi revogada. Crie outra no portal, em Chaves de API.',
  },
  chave_sem_permissao: {
    status: 403,
    title: 'Fora do alcance da chave',
    detail: 'Nenhuma chave de API dá acesso a esta chamada. Entre no portal para fazê-la.',
  },
  chave_rede_negada: {
    status: 403,
    title: 'Rede não permitida',
    detail: 'Esta chave de API não pode ser usada a partir deste endereço.',
  },
  chaves_desligadas: {
    status: 403,
    title: 'Chaves de API desligadas',
    detail: 'As chaves de API não estão liberadas para você. Peça a um administrador.',
  },
  chave_ja_cadastrada: {
    status: 409,
    title: 'Chave já cadastrada',
    detail: 'Você já tem uma chave com este nome.',
  },
  chaves_demais: {
    status: 409,
    title: 'Chaves demais',
    detail: 'Você já tem 20 chaves. Revogue uma para criar outra.',
  },
} as const
