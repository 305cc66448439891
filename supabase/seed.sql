-- The catalogue. It can run again: what is there is brought up to date.

-- Providers whose tools are still to come.
insert into askback.integrations (id, name, description, oauth_scopes, position, connection) values
  (
    'gmail', 'Gmail', 'Reads, sends and sorts the mail of a Google account.',
    array['https://www.googleapis.com/auth/gmail.modify', 'https://www.googleapis.com/auth/gmail.send'], 101,
    '{"type":"object","properties":{}}'
  ),
  (
    'google-docs', 'Google Docs', 'Creates, reads and changes documents of a Google account.',
    array['https://www.googleapis.com/auth/documents', 'https://www.googleapis.com/auth/drive.file'], 102,
    '{"type":"object","properties":{}}'
  ),
  (
    'serper', 'Serper', 'Google search results by serper.dev.', null, 103,
    '{"type":"object","properties":{"api_key":{"type":"string","minLength":1,"title":"API key","question":"What is your Serper API key?","secret":true}},"required":["api_key"],"additionalProperties":false}'
  ),
  (
    'serpapi', 'SerpAPI', 'Search results by serpapi.com.', null, 104,
    '{"type":"object","properties":{"api_key":{"type":"string","minLength":1,"title":"API key","question":"What is your SerpAPI key?","secret":true}},"required":["api_key"],"additionalProperties":false}'
  ),
  (
    'brave', 'Brave Search', 'Search results by the Brave Search API.', null, 105,
    '{"type":"object","properties":{"api_key":{"type":"string","minLength":1,"title":"API key","question":"What is your Brave Search API key?","secret":true}},"required":["api_key"],"additionalProperties":false}'
  )
on conflict (id) do update set
  name = excluded.name, description = excluded.description, oauth_scopes = excluded.oauth_scopes,
  position = excluded.position, connection = excluded.connection;

-- Generated from shared/integrations/catalogue.ts by `tsx scripts/seed.ts`. Change it there.

insert into askback.integrations (id, name, description, connection, oauth_scopes, position) values
  ('smtp', 'SMTP', 'Sends e-mail through any mail server that you have an account on.', '{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"host":{"type":"string","minLength":1,"maxLength":253,"title":"mail server","question":"Which server sends your mail?","hint":"Please provide its host name.","examples":["smtp.example.com"]},"port":{"default":465,"type":"integer","minimum":1,"maximum":65535,"title":"port","question":"Which port does the mail server listen on?","hint":"Please provide the port number; 465 works everywhere, hosted Supabase blocks 25 and 587.","examples":[465]},"user":{"type":"string","minLength":1,"maxLength":320,"title":"user name","question":"Which user name do you sign in to the mail server with?","hint":"Please provide the user name, often your email address.","examples":["ada@example.com"]},"password":{"type":"string","minLength":1,"maxLength":1024,"title":"password","question":"What is the password of your mail account?","hint":"Please provide the password, or an app password if your provider has them.","secret":true},"from":{"type":"string","maxLength":320,"title":"sender","question":"Which address should your mail come from?","hint":"Please provide an address, or a name and an address; the user name by default.","examples":["ada@example.com","Ada Lovelace <ada@example.com>"],"aliases":["sender","from_email"]}},"required":["host","user","password"],"additionalProperties":false}', null, 1)
on conflict (id) do update set
  name = excluded.name, description = excluded.description, connection = excluded.connection,
  oauth_scopes = excluded.oauth_scopes, position = excluded.position;

insert into askback.tools (name, function, action, providers, approval, position, specification) values
  ('smtp_send_email', 'smtp-api', 'send_email', array['smtp']::text[], 'always', 1, '{"name":"smtp_send_email","title":"Send email","confirm":"Send \"{subject}\" to {to}?","description":"Sends an email from the user''s own mail account. Use only recipients that the user named; never invent an address.","effect":"write","providers":["smtp"],"parameters":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"to":{"minItems":1,"maxItems":100,"type":"array","items":{"type":"string","title":"email address","format":"email"},"title":"recipient email address","description":"Email addresses of the recipients.","question":"Who should I send this email to?","hint":"Please provide the recipient email address.","examples":[["ada@example.com"]],"aliases":["recipient","recipients","to_email","to_address","email","email_address","send_to"],"source":"conversation"},"cc":{"maxItems":100,"type":"array","items":{"type":"string","title":"email address","format":"email"},"title":"copy recipient email address","description":"Email addresses that get a copy.","question":"Who should get a copy of this email?","hint":"Please provide the email address.","examples":[["grace@example.com"]],"aliases":["cc_recipients","carbon_copy"],"source":"conversation"},"bcc":{"maxItems":100,"type":"array","items":{"type":"string","title":"email address","format":"email"},"title":"blind copy recipient email address","description":"Email addresses that get a copy which the other recipients do not see.","question":"Who should get a blind copy of this email?","hint":"Please provide the email address.","examples":[["grace@example.com"]],"aliases":["bcc_recipients","blind_carbon_copy"],"source":"conversation"},"reply_to":{"type":"string","title":"reply email address","format":"email","description":"Email address that answers should go to, when it is not the sender.","question":"Which address should answers to this email go to?","hint":"Please provide the email address.","examples":["office@example.com"],"source":"conversation"},"subject":{"type":"string","maxLength":900,"pattern":"^\\P{Cc}*$","title":"subject line","description":"The subject, one line.","question":"What is the subject of this email?","hint":"Please provide the subject in one line.","examples":["Meeting on Thursday"],"aliases":["title","subject_line"]},"body":{"type":"string","maxLength":1048576,"title":"text of the email","description":"The message as plain text.","question":"What should this email say?","hint":"Please provide the text of the message.","examples":["Hello Ada,\n\nshall we meet on Thursday at ten?\n\nBest regards"],"aliases":["text","message","content","body_text","text_body","message_body"]},"html":{"type":"string","maxLength":1048576,"title":"HTML of the email","description":"The same message as HTML, for readers that show it. The plain text in body is still needed.","aliases":["html_body","body_html"]},"attachments":{"maxItems":10,"type":"array","items":{"type":"object","properties":{"filename":{"type":"string","maxLength":255,"pattern":"^(?!\\.{1,2}$)[^\\p{Cc}\\p{Zl}\\p{Zp}\\u202a-\\u202e\\u2066-\\u2069/\\\\]+$","question":"What should the attached file be called?","hint":"Please provide a file name.","examples":["report.pdf"],"aliases":["name","file_name"]},"content":{"type":"string","question":"What does the attached file contain?","hint":"Please provide its content as plain text, or in base64 for any other kind of file.","aliases":["data"]},"contentType":{"type":"string","maxLength":127,"pattern":"^[\\w.+-]+\\/[\\w.+-]+$","hint":"Please provide a media type like application/pdf.","examples":["application/pdf"],"aliases":["mime_type","type"]},"encoding":{"type":"string","enum":["text","base64"],"description":"How content is written; by default text for text types and base64 for all others."}},"required":["filename","content"],"additionalProperties":false},"title":"attached files","description":"Files to attach, with their content.","aliases":["files"]}},"required":["to","subject","body"],"additionalProperties":false}}'),
  ('smtp_test_connection', 'smtp-api', 'test_connection', array['smtp']::text[], 'never', 2, '{"name":"smtp_test_connection","title":"Test mail account","description":"Checks that the mail server of the user can be reached and accepts the sign-in. Sends nothing.","effect":"read","providers":["smtp"],"parameters":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{},"additionalProperties":false}}')
on conflict (user_id, name) do update set
  function = excluded.function, action = excluded.action, providers = excluded.providers,
  approval = excluded.approval, position = excluded.position, specification = excluded.specification;

delete from askback.tools where user_id is null and name not in ('smtp_send_email', 'smtp_test_connection');
