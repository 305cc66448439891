import { createRpc } from '../../../shared/server/database/call-rpc.ts'

export const send = (url: string) =>
  createRpc({ url, serviceKey: 'key' })('finish_run', { p_run_id: 'r1', p_result: { status: 'completed' } })
