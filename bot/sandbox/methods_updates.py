"""Methods by which the bot takes its updates."""

from __future__ import annotations

from bot.sandbox.methods import Request, method
from bot.sandbox.wire import Json


@method("getUpdates")
async def get_updates(request: Request) -> list[Json]:
    """Acknowledge, then wait."""
    return await request.world.updates.poll(request.params)


@method("setWebhook")
async def set_webhook(request: Request) -> bool:
    """Push from now on."""
    request.world.updates.set_webhook(request.params)
    return True


@method("deleteWebhook")
async def delete_webhook(request: Request) -> bool:
    """Back to polling."""
    request.world.updates.set_webhook({**request.params, "url": ""})
    return True


@method("getWebhookInfo")
async def get_webhook_info(request: Request) -> Json:
    """How the pushing goes."""
    return request.world.updates.webhook_info()
